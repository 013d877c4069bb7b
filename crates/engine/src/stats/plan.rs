//! From what was asked, in words, to what is to be counted.

use groma_query::bind::{Context, bind};
use groma_query::bound::Expr;
use groma_query::pattern::Case;
use groma_query::syntax::{Node, nearest, parse, parse_all};

use super::error::PlanError;
use super::field::{Grouping, Level};
use super::metric::Metric;
use super::nodes;
use super::preset::{self, Part, Preset, What as PresetWhat};
use super::ranges::Ranges;

/// What is asked, as it was written.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Queries, all of which must hold.
    pub query: Vec<String>,
    /// Absolute directories: only what lies below one of them is counted, itself excluded.
    pub within: Vec<Vec<u8>>,
    /// A named question.
    pub preset: Option<&'static Preset>,
    /// Fields to group by, one or two.
    pub by: Vec<String>,
    /// Fields to make histograms of.
    pub histograms: Vec<String>,
    /// Fields with ranges.
    pub ranges: Vec<String>,
    /// What is told of each bucket; nothing: what suits.
    pub metrics: Vec<Metric>,
    /// How many buckets there are at most; 0: all.
    pub top: Option<usize>,
    /// What buckets are sorted by.
    pub sort: Option<String>,
    /// How many example rows each bucket has.
    pub samples: Option<usize>,
    /// Fields whose distinct values are counted in each bucket.
    pub distinct: Vec<String>,
    /// Whether entries without the field have a bucket.
    pub missing: bool,
    /// Which copies are looked for.
    pub duplicates: Option<Likeness>,
    /// Bytes that may be read of files; `None`: any number.
    pub read_budget: Option<u64>,
}

/// What makes files count as copies of each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Equal names.
    Name,
    /// Equal sizes.
    Size,
    /// Equal content, byte for byte.
    Content,
}

/// What is to be counted.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) sections: Vec<Section>,
    pub(super) read_budget: Option<u64>,
}

/// One table of the answer.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) node: Node,
    pub(super) expr: Expr,
    pub(super) what: What,
    pub(super) shape: Shape,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Total,
    Groups { levels: Vec<Level>, fill: bool },
    Largest,
    Queries(Vec<(String, Node, Expr)>),
    Duplicates(Likeness),
}

/// How the rows of a table are chosen and shown.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) metrics: Vec<Metric>,
    /// 0: all.
    pub(super) top: usize,
    pub(super) sort: Option<Sort>,
    pub(super) samples: usize,
    pub(super) distinct: Vec<Level>,
    pub(super) missing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    pub(super) by: SortBy,
    pub(super) descending: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SortBy {
    Key,
    Metric(Metric),
}

/// Works out what is to be counted.
///
/// # Errors
/// [`PlanError`]: nothing was started.
pub fn plan(request: &Request, context: &Context<'_>) -> Result<Plan, PlanError> {
    let planner = Planner { request, context };
    let base = planner.base()?;
    let mut sections = Vec::new();
    match request.preset {
        Some(preset) => {
            for part in preset.parts {
                sections.push(planner.preset_section(&base, part)?);
            }
        }
        None => planner.own_sections(&base, &mut sections)?,
    }
    Ok(Plan {
        sections,
        read_budget: request.read_budget,
    })
}

struct Planner<'a> {
    request: &'a Request,
    context: &'a Context<'a>,
}

impl Planner<'_> {
    /// The query with everything that options add to it.
    fn base(&self) -> Result<Node, PlanError> {
        let query = parse_all(&self.request.query).map_err(PlanError::Query)?;
        // Mistakes are told with their places in what the user wrote.
        bind(&query, self.context).map_err(PlanError::Query)?;
        let mut root = query.root;
        match self.context.case {
            Case::Smart => {}
            case => nodes::pin_case(&mut root, case == Case::Insensitive),
        }
        let within = self.request.within.iter().map(|dir| nodes::under(dir));
        let within: Vec<Node> = within.collect();
        Ok(match within.is_empty() {
            true => root,
            false => nodes::all([root, nodes::any(within)]),
        })
    }

    fn bind(&self, node: &Node) -> Result<Expr, PlanError> {
        bind(&nodes::query(node.clone()), self.context).map_err(PlanError::Query)
    }

    fn section(
        &self,
        name: String,
        node: Node,
        what: What,
        shape: Shape,
    ) -> Result<Section, PlanError> {
        Ok(Section {
            expr: self.bind(&node)?,
            name,
            node,
            what,
            shape,
        })
    }

    fn level(&self, text: &str, option: &'static str) -> Result<Level, PlanError> {
        Level::parse(text, option, self.context)
    }

    fn own_sections(&self, base: &Node, sections: &mut Vec<Section>) -> Result<(), PlanError> {
        let shape = self.shape(&[Metric::Count, Metric::Size])?;
        let mut groups = |name: String, levels: Vec<Level>, fill| {
            let what = What::Groups { levels, fill };
            let section = self.section(name, base.clone(), what, shape.clone())?;
            sections.push(section);
            Ok(())
        };
        let by: Result<Vec<Level>, _> = self
            .request
            .by
            .iter()
            .map(|text| self.level(text, "--by"))
            .collect();
        let by = by?;
        if by.len() > 2 {
            let why = "entries can be grouped by two fields at most";
            return Err(PlanError::value("--by", &self.request.by.join(","), why));
        }
        if !by.is_empty() {
            groups(titles(&by), by, false)?;
        }
        for text in &self.request.histograms {
            let level = self.level(text, "--histogram")?;
            if !level.grouping.is_scale() {
                let why = "a histogram is of sizes, numbers or times";
                return Err(PlanError::value("--histogram", text, why));
            }
            groups(level.title.clone(), vec![level], true)?;
        }
        for text in &self.request.ranges {
            let ranges = Ranges::parse(text, self.context)?;
            let field = ranges.field().map_or("value", |field| field.info().name);
            let title = format!("{field}-range");
            let grouping = Grouping::Ranges(ranges.into());
            groups(title.clone(), vec![Level { title, grouping }], true)?;
        }
        if let Some(likeness) = self.request.duplicates {
            sections.push(self.duplicates(base, likeness)?);
        }
        if sections.is_empty() {
            let what = What::Total;
            sections.push(self.section("total".to_owned(), base.clone(), what, shape)?);
        }
        Ok(())
    }

    fn duplicates(&self, base: &Node, likeness: Likeness) -> Result<Section, PlanError> {
        let (name, filter) = match likeness {
            Likeness::Name => ("duplicate names", "type:file"),
            Likeness::Size => ("equal sizes", "type:file size>0"),
            Likeness::Content => ("equal content", "type:file size>0"),
        };
        let node = nodes::all([base.clone(), self.parsed(filter)?]);
        let default: &[Metric] = match likeness {
            Likeness::Name => &[Metric::Count, Metric::Nodes, Metric::Size],
            _ => &[
                Metric::Count,
                Metric::Nodes,
                Metric::Size,
                Metric::Reclaimable,
            ],
        };
        let mut shape = self.shape(default)?;
        shape.samples = self.request.samples.unwrap_or(5);
        self.section(name.to_owned(), node, What::Duplicates(likeness), shape)
    }

    fn parsed(&self, text: &str) -> Result<Node, PlanError> {
        Ok(parse(text).map_err(PlanError::Query)?.root)
    }

    fn preset_section(&self, base: &Node, part: &Part) -> Result<Section, PlanError> {
        if let PresetWhat::EqualSizes = part.what {
            let mut section = self.duplicates(base, Likeness::Size)?;
            section.shape.top = self.request.top.unwrap_or(part.top);
            return Ok(section);
        }
        let node = nodes::all([base.clone(), self.parsed(part.filter)?]);
        let mut shape = self.shape(part.metrics)?;
        shape.missing = true;
        shape.top = self.request.top.unwrap_or(part.top);
        if shape.sort.is_none() {
            shape.sort = part.sort.map(read_sort).transpose()?;
        }
        let levels = |text| Ok(vec![self.level(text, "--by")?]);
        let what = match part.what {
            PresetWhat::Total => What::Total,
            PresetWhat::By(text) => What::Groups {
                levels: levels(text)?,
                fill: false,
            },
            PresetWhat::Histogram(text) => What::Groups {
                levels: levels(text)?,
                fill: true,
            },
            PresetWhat::Largest => What::Largest,
            PresetWhat::Queries(list) => What::Queries(self.queries(&node, list)?),
            PresetWhat::EqualSizes => What::Duplicates(Likeness::Size),
        };
        self.section(part.name.to_owned(), node, what, shape)
    }

    fn queries(
        &self,
        node: &Node,
        list: &[(&str, &str)],
    ) -> Result<Vec<(String, Node, Expr)>, PlanError> {
        let query = |(name, text): &(&str, &str)| {
            let node = nodes::all([node.clone(), self.parsed(text)?]);
            let expr = self.bind(&node)?;
            Ok(((*name).to_owned(), node, expr))
        };
        list.iter().map(query).collect()
    }

    fn shape(&self, metrics: &[Metric]) -> Result<Shape, PlanError> {
        let distinct = self.request.distinct.iter();
        let distinct = distinct.map(|text| self.level(text, "--distinct"));
        let metrics = match &self.request.metrics[..] {
            [] => metrics.to_vec(),
            asked => asked.to_vec(),
        };
        Ok(Shape {
            metrics,
            top: self.request.top.unwrap_or(0),
            sort: self.request.sort.as_deref().map(read_sort).transpose()?,
            samples: self.request.samples.unwrap_or(0),
            distinct: distinct.collect::<Result<_, _>>()?,
            missing: self.request.missing,
        })
    }
}

fn titles(levels: &[Level]) -> String {
    let titles: Vec<&str> = levels.iter().map(|level| level.title.as_str()).collect();
    titles.join(", ")
}

/// `metric`, `-metric`, `key`, `-key`.
fn read_sort(text: &str) -> Result<Sort, PlanError> {
    let (word, descending) = match text.strip_prefix('-') {
        Some(word) => (word, true),
        None => (text, false),
    };
    let by = match word {
        "key" | "name" => SortBy::Key,
        word => match Metric::find(word) {
            Some(metric) => SortBy::Metric(metric),
            None => {
                let names = Metric::ALL.iter().map(|row| row.1).chain(["key"]);
                let why = match nearest(word, names.clone()) {
                    Some(name) => format!("did you mean '{name}'?"),
                    None => format!("there are {}", names.collect::<Vec<_>>().join(" ")),
                };
                return Err(PlanError::value("--sort", text, &why));
            }
        },
    };
    Ok(Sort { by, descending })
}

/// The preset with this name.
///
/// # Errors
/// [`PlanError::Value`] with the names there are, or the one that may be meant.
pub fn preset_named(name: &str) -> Result<&'static Preset, PlanError> {
    preset::find(name).ok_or_else(|| {
        let names = preset::PRESETS.iter().map(|preset| preset.name);
        let why = match nearest(name, names.clone()) {
            Some(near) => format!("there is no such preset; did you mean '{near}'?"),
            None => format!(
                "there is no such preset; there are {}",
                names.collect::<Vec<_>>().join(" ")
            ),
        };
        PlanError::value("--preset", name, &why)
    })
}
