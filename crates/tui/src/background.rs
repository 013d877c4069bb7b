//! What takes longer than a frame may: done by a worker, told when it is ready.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use groma_base::CancelToken;
use groma_engine::map::{
    Ask, Filter, Freed, Map, MapError, Outcome, Plan, Question, Sealed, Surroundings, freed, plan,
};
use groma_engine::search::Run as SelectRun;
use groma_engine::stats::{self, Report};

use crate::changes::{Changes, changes};
use crate::removal::marks_of;
use crate::text::Numbers;

/// Jobs that may wait: each new one of a kind makes older ones pointless.
const WAITING: usize = 64;

/// What is to be found out.
pub(crate) enum Job {
    /// What matches a query.
    Filter { text: String, generation: u64 },
    /// A table about what lies below a directory.
    Table {
        question: Question,
        within: Vec<u8>,
        filter: Option<String>,
        generation: u64,
    },
    /// What has changed since a snapshot.
    Changes { since: PathBuf, numbers: Numbers },
    /// What deleting these would free.
    Freed { paths: Vec<Vec<u8>> },
    /// What would be removed, as the disk is now.
    Plan {
        paths: Vec<Vec<u8>>,
        is_for_good: bool,
    },
    /// Does what was confirmed: with surroundings into the trash, without for good.
    Remove {
        plan: Plan,
        surroundings: Option<Surroundings>,
    },
}

/// What was found out.
pub(crate) enum Done {
    /// A tree of which only what matches weighs something.
    Filtered {
        generation: u64,
        answer: Result<(Sealed, Arc<Filter>), String>,
    },
    /// A table.
    Table {
        generation: u64,
        answer: Result<Report, String>,
    },
    /// What has changed.
    Changed(Result<Changes, String>),
    /// What marks would free.
    Freed(Result<Freed, String>),
    /// What would be removed.
    Planned {
        answer: Result<Plan, String>,
        is_for_good: bool,
    },
    /// What was removed.
    Removed(Outcome),
}

/// The worker's end that asks.
pub(crate) struct Worker {
    jobs: Sender<(Job, CancelToken)>,
    done: Receiver<Done>,
    last: CancelToken,
    /// What is being removed is not given up half way for another question.
    is_removing: bool,
}

impl Worker {
    /// Starts one for a map.
    pub(crate) fn start(map: Map, ask: Arc<dyn Ask>, threads: usize) -> Worker {
        let (jobs, to_do) = bounded::<(Job, CancelToken)>(WAITING);
        let (tell, done) = bounded(WAITING);
        let work = move || {
            for (job, cancel) in to_do {
                if cancel.is_cancelled() {
                    continue;
                }
                let asked = Asked {
                    map: &map,
                    ask: &*ask,
                    threads,
                    cancel,
                };
                if tell.send(asked.answer(job)).is_err() {
                    return;
                }
            }
        };
        // Without a thread there are no answers, and the map itself still works.
        let _ = std::thread::Builder::new().spawn(work);
        Worker {
            jobs,
            done,
            last: CancelToken::new(),
            is_removing: false,
        }
    }

    /// Asks for something; what was asked for before is not wanted any more.
    pub(crate) fn ask(&mut self, job: Job) {
        if !self.is_removing {
            self.last.cancel();
        }
        self.last = CancelToken::new();
        self.is_removing = matches!(job, Job::Remove { .. });
        // A full queue means that many keys were pressed; the next one asks again.
        let _ = self.jobs.try_send((job, self.last.clone()));
    }

    /// Stops what is at work.
    pub(crate) fn stop(&mut self) {
        if !self.is_removing {
            self.last.cancel();
        }
    }

    /// An answer, if there is one.
    pub(crate) fn take(&self) -> Option<Done> {
        self.done.try_recv().ok()
    }

    /// Waits for an answer.
    #[cfg(test)]
    pub(crate) fn wait(&self) -> Option<Done> {
        self.done
            .recv_timeout(std::time::Duration::from_secs(20))
            .ok()
    }
}

struct Asked<'a> {
    map: &'a Map,
    ask: &'a dyn Ask,
    threads: usize,
    cancel: CancelToken,
}

impl Asked<'_> {
    fn answer(&self, job: Job) -> Done {
        match job {
            Job::Filter { text, generation } => Done::Filtered {
                generation,
                answer: self.filter(&text),
            },
            Job::Table {
                question,
                within,
                filter,
                generation,
            } => Done::Table {
                generation,
                answer: self.table(question, &within, filter.as_deref()),
            },
            Job::Changes { since, numbers } => {
                let now = self.sealed();
                Done::Changed(now.and_then(|now| changes(&since, &now, numbers, &self.cancel)))
            }
            Job::Freed { paths } => Done::Freed(self.freed(&paths)),
            Job::Plan { paths, is_for_good } => Done::Planned {
                answer: self.plan(&paths),
                is_for_good,
            },
            Job::Remove { plan, surroundings } => Done::Removed(match surroundings {
                Some(surroundings) => plan.trash(&surroundings, &self.cancel),
                None => plan.remove(&self.cancel),
            }),
        }
    }

    fn filter(&self, text: &str) -> Result<(Sealed, Arc<Filter>), String> {
        let expr = self.ask.filter(text)?;
        let root = self.sealed()?;
        let run = SelectRun::new(self.threads, self.cancel.clone());
        let filter = Filter::new(&root.view, &expr, &run).map_err(|error| error.to_string())?;
        let filter = Arc::new(filter);
        let tree = Sealed::new(root.view).ok_or("there are no entries")?;
        Ok((tree.filtered(Some(Arc::clone(&filter))), filter))
    }

    fn table(
        &self,
        question: Question,
        within: &[u8],
        filter: Option<&str>,
    ) -> Result<Report, String> {
        let plan = self.ask.plan(question, within, filter)?;
        let root = self.sealed()?;
        let run = stats::Run {
            threads: self.threads,
            cancel: self.cancel.clone(),
        };
        stats::run(&plan, std::slice::from_ref(&root), &run).map_err(|error| error.to_string())
    }

    fn freed(&self, paths: &[Vec<u8>]) -> Result<Freed, String> {
        let view = self.sealed()?.view;
        let ids = marks_of(paths).ids(&view);
        let freed = ids.and_then(|ids| freed(&view, &ids));
        freed.map_err(|damage| damage.to_string())
    }

    fn plan(&self, paths: &[Vec<u8>]) -> Result<Plan, String> {
        let view = self.sealed()?.view;
        let planned = plan(&view, &marks_of(paths), None, &self.cancel);
        planned.map_err(|error| error.to_string())
    }

    fn sealed(&self) -> Result<groma_engine::catalogs::OpenRoot, String> {
        let sealed = self
            .map
            .seal()
            .map_err(|error: MapError| error.to_string())?;
        sealed.ok_or_else(|| "the disk is still being read".to_owned())
    }
}
