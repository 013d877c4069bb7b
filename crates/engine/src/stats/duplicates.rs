//! Files that are like each other: by name, by size, by content.
//!
//! Only regular files are looked at. Entries of one node are one file: hard links are no copies.

use std::collections::HashMap;

use groma_base::{Kind, compare_paths};
use groma_catalog::{Damage, KindFlags, View, Volume};
use groma_query::fields::Field;

use super::content;
use super::error::{ScanError, StatsError};
use super::group::{Data, Selected, SelectedRoot};
use super::links::{Identity, identity};
use super::metric::{Metric, Sums};
use super::nodes;
use super::order;
use super::plan::{Likeness, Section, Sort, SortBy};
use super::reading::Reading;
use super::report::{Row, RowQuery, Sample, SectionReport};
use super::sections;

/// A query is no longer than this; the language takes 64 KiB.
const LONGEST_QUERY: usize = 60_000;

/// An entry that may have copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Member {
    /// What likes have in common: a size, or the number of a name.
    pub(super) key: u64,
    pub(super) root: usize,
    pub(super) id: u32,
}

/// Entries that are alike, and how many nodes they are of.
#[derive(Clone, Debug)]
pub(super) struct Likes {
    /// As its bucket is called.
    pub(super) label: Vec<u8>,
    pub(super) size: u64,
    /// The entries of each node; there are two nodes at least.
    pub(super) nodes: Vec<Vec<Member>>,
}

/// A table of copies, and what happened while files were read.
pub(super) struct Found {
    pub(super) report: SectionReport,
    pub(super) reading: Option<Reading>,
}

/// Looks for copies among the selected entries.
pub(super) fn find(
    data: &Data<'_>,
    selected: &Selected,
    section: &Section,
    likeness: Likeness,
    budget: Option<u64>,
) -> Result<Found, StatsError> {
    let volumes = selected.iter().map(|root| {
        let volumes = root.view.volumes();
        volumes.map_err(|damage| StatsError::at(root.view.root(), damage.into()))
    });
    let finder = Finder {
        volumes: volumes.collect::<Result<_, _>>()?,
        data,
        selected,
        section,
        likeness,
    };
    let mut members = finder.members()?;
    members.sort_unstable();
    let mut likes = finder.likes(&members)?;
    drop(members);
    let mut reading = None;
    if likeness == Likeness::Content {
        let (equal, read) = content::compare(data, likes, budget)?;
        likes = equal;
        reading = Some(read);
    }
    Ok(Found {
        report: finder.report(likes)?,
        reading,
    })
}

struct Finder<'a> {
    /// The file systems of each root.
    volumes: Vec<Vec<Volume>>,
    data: &'a Data<'a>,
    selected: &'a Selected,
    section: &'a Section,
    likeness: Likeness,
}

impl Finder<'_> {
    /// All selected files, with what they may have in common.
    fn members(&self) -> Result<Vec<Member>, StatsError> {
        let mut members = Vec::new();
        let mut names = HashMap::new();
        for (at, root) in self.selected.iter().enumerate() {
            self.members_of(at, root, &mut names, &mut members)
                .map_err(|error| StatsError::at(root.view.root(), error))?;
        }
        Ok(members)
    }

    fn members_of(
        &self,
        root: usize,
        selected: &SelectedRoot,
        names: &mut HashMap<Vec<u8>, u64>,
        members: &mut Vec<Member>,
    ) -> Result<(), ScanError> {
        let view = &selected.view;
        for id in selected.ids() {
            if self.data.cancel.is_cancelled() {
                return Err(ScanError::Cancelled);
            }
            let flags = view.kind(id)?;
            if flags.kind() != Kind::File || flags.has(KindFlags::NO_METADATA) {
                continue;
            }
            let key = match self.likeness {
                Likeness::Name => self.name(view, id, names)?,
                Likeness::Size | Likeness::Content => match view.size(id)? {
                    0 => continue,
                    size => size,
                },
            };
            members.push(Member { key, root, id });
        }
        Ok(())
    }

    /// The number of a name; of one catalog, that of its dictionary.
    fn name(&self, view: &View, id: u32, names: &mut HashMap<Vec<u8>, u64>) -> Result<u64, Damage> {
        if self.selected.len() == 1 && view.is_sealed() {
            return view.segment().name(id).map(u64::from);
        }
        let mut name = Vec::new();
        view.append_name(id, &mut name)?;
        let next = names.len() as u64;
        Ok(*names.entry(name).or_insert(next))
    }

    /// Sets of two nodes or more that have something in common.
    fn likes(&self, members: &[Member]) -> Result<Vec<Likes>, StatsError> {
        let mut likes = Vec::new();
        for alike in members
            .chunk_by(|a, b| a.key == b.key)
            .filter(|alike| alike.len() > 1)
        {
            let nodes = self.nodes(alike)?;
            if nodes.len() < 2 {
                continue;
            }
            likes.push(Likes {
                label: self.label(alike[0])?,
                size: alike[0].key,
                nodes,
            });
        }
        Ok(likes)
    }

    /// Entries put together by their nodes, in the order of paths within each root.
    fn nodes(&self, alike: &[Member]) -> Result<Vec<Vec<Member>>, StatsError> {
        let mut nodes: Vec<Vec<Member>> = Vec::new();
        let mut known: HashMap<(usize, u32), usize> = HashMap::new();
        let mut elsewhere: HashMap<Identity, usize> = HashMap::new();
        for &member in alike {
            let view = &self.selected[member.root].view;
            let wrong = |damage: Damage| StatsError::at(view.root(), damage.into());
            if let Some(&node) = known.get(&(member.root, member.id)) {
                nodes[node].push(member);
                continue;
            }
            let identity = match self.selected.len() {
                1 => None,
                _ => identity(view, &self.volumes[member.root], member.id).map_err(wrong)?,
            };
            let next = nodes.len();
            let node = identity.map_or(next, |identity| *elsewhere.entry(identity).or_insert(next));
            if node == next {
                nodes.push(Vec::new());
            }
            nodes[node].push(member);
            if view.kind(member.id).map_err(wrong)?.has(KindFlags::LINKED) {
                let linked = view.linked(member.id).map_err(wrong)?;
                known.extend(linked.into_iter().map(|id| ((member.root, id), node)));
            }
        }
        Ok(nodes)
    }

    fn label(&self, member: Member) -> Result<Vec<u8>, StatsError> {
        if self.likeness != Likeness::Name {
            return Ok(member.key.to_string().into_bytes());
        }
        let view = &self.selected[member.root].view;
        let mut name = Vec::new();
        view.append_name(member.id, &mut name)
            .map_err(|damage| StatsError::at(view.root(), damage.into()))?;
        Ok(name)
    }

    fn report(&self, likes: Vec<Likes>) -> Result<SectionReport, StatsError> {
        let mut total = Sums::default();
        let mut lines = Vec::new();
        for alike in likes {
            let sums = self.sums(&alike)?;
            total.add(&sums);
            lines.push((sums, alike));
        }
        self.sort(&mut lines)?;
        let mut report = sections::report(self.section, total);
        let top = self.section.shape.top;
        if top > 0 && lines.len() > top {
            let mut rest = Sums::default();
            lines[top..].iter().for_each(|line| rest.add(&line.0));
            report.rest = Some((lines.len() - top, rest));
            lines.truncate(top);
        }
        let key = match self.likeness {
            Likeness::Name => "name",
            Likeness::Size => "file-size",
            Likeness::Content => "blake3",
        };
        report.keys = vec![key.to_owned()];
        for (sums, alike) in lines {
            report.rows.push(self.row(sums, &alike)?);
        }
        Ok(report)
    }

    /// The largest gain comes first, or the most entries of a name; then names, or first paths.
    fn sort(&self, lines: &mut [(Sums, Likes)]) -> Result<(), StatsError> {
        let sort = self.section.shape.sort.unwrap_or(Sort {
            by: SortBy::Metric(match self.likeness {
                Likeness::Name => Metric::Count,
                _ => Metric::Reclaimable,
            }),
            descending: true,
        });
        let mut firsts: HashMap<Member, Vec<u8>> = HashMap::new();
        for (_, alike) in &*lines {
            let first = alike.nodes[0][0];
            firsts.insert(first, self.path(first)?);
        }
        lines.sort_by(|(a, likes_a), (b, likes_b)| {
            let by_key = match self.likeness {
                Likeness::Name => compare_paths(&likes_a.label, &likes_b.label),
                Likeness::Size => likes_a.size.cmp(&likes_b.size),
                Likeness::Content => {
                    let first = |likes: &Likes| firsts.get(&likes.nodes[0][0]);
                    match (first(likes_a), first(likes_b)) {
                        (Some(a), Some(b)) => compare_paths(a, b),
                        _ => std::cmp::Ordering::Equal,
                    }
                }
            };
            order::by(sort, a, b, by_key)
        });
        Ok(())
    }

    fn path(&self, member: Member) -> Result<Vec<u8>, StatsError> {
        let view = &self.selected[member.root].view;
        let mut path = Vec::new();
        view.append_path(member.id, &mut path)
            .map_err(|damage| StatsError::at(view.root(), damage.into()))?;
        Ok(path)
    }

    fn sums(&self, alike: &Likes) -> Result<Sums, StatsError> {
        let mut sums = Sums::default();
        let mut largest = 0;
        for node in &alike.nodes {
            let view = &self.selected[node[0].root].view;
            let read = || -> Result<(u64, u64), Damage> {
                Ok((view.size(node[0].id)?, view.allocated(node[0].id)?))
            };
            let (size, allocated) =
                read().map_err(|damage| StatsError::at(view.root(), damage.into()))?;
            sums.add(&Sums {
                count: node.len() as u64,
                nodes: 1,
                size: size.into(),
                allocated: allocated.into(),
                waste: allocated.saturating_sub(size).into(),
                min: Some(size),
                max: Some(size),
                ..Sums::default()
            });
            largest = largest.max(size);
            for member in node {
                let view = &self.selected[member.root].view;
                let modified = view
                    .modified(member.id)
                    .map_err(|damage| StatsError::at(view.root(), damage.into()))?;
                sums.add(&Sums {
                    oldest: Some(modified),
                    newest: Some(modified),
                    ..Sums::default()
                });
            }
        }
        sums.reclaimable = match self.likeness {
            Likeness::Name => 0,
            _ => sums.size - u128::from(largest),
        };
        Ok(sums)
    }

    fn row(&self, sums: Sums, alike: &Likes) -> Result<Row, StatsError> {
        let mut paths = Vec::new();
        for (place, node) in alike.nodes.iter().enumerate() {
            for &member in node {
                paths.push((self.path(member)?, place, member));
            }
        }
        paths.sort_by(|a, b| compare_paths(&a.0, &b.0));
        Ok(Row {
            labels: vec![Some(alike.label.clone())],
            sums,
            distinct: Vec::new(),
            query: RowQuery::Text(self.query(alike, paths.iter().map(|row| &row.0[..]))),
            samples: self.samples(&paths)?,
        })
    }

    /// One entry of each node, as many as were asked for.
    fn samples(&self, paths: &[(Vec<u8>, usize, Member)]) -> Result<Vec<Sample>, StatsError> {
        let mut shown = Vec::new();
        let mut nodes = std::collections::HashSet::new();
        for (path, node, member) in paths {
            if shown.len() == self.section.shape.samples {
                break;
            }
            if !nodes.insert(*node) {
                continue;
            }
            let view = &self.selected[member.root].view;
            let wrong = |damage: Damage| StatsError::at(view.root(), damage.into());
            shown.push(Sample {
                path: path.clone(),
                size: view.size(member.id).map_err(wrong)?,
                modified: view.modified(member.id).map_err(wrong)?,
            });
        }
        Ok(shown)
    }

    fn query<'p>(&self, alike: &Likes, paths: impl Iterator<Item = &'p [u8]>) -> Option<String> {
        let node = match self.likeness {
            Likeness::Name => nodes::exactly(Field::Name, &alike.label),
            Likeness::Size => nodes::is(Field::Size, &alike.size.to_string()),
            Likeness::Content => nodes::one_of(Field::Path, paths),
        };
        let text = nodes::query(nodes::all([self.section.node.clone(), node])).text;
        (text.len() <= LONGEST_QUERY).then_some(text)
    }
}

/// The view that an entry is of.
pub(super) fn view_of<'a>(data: &'a Data<'_>, member: Member) -> &'a View {
    &data.roots[member.root].view
}
