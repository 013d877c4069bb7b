//! Marks: what deleting them would free, and the question before it is done.

use groma_engine::map::{Freed, Marks, Outcome, Plan, Refusal};
use ratatui::crossterm::event::{KeyCode, KeyEvent};

use crate::app::{App, Mode};
use crate::background::Job;
use crate::host::Host;
use crate::picture::Pick;
use crate::text::{grouped, name};

/// What has to be typed before something is deleted for good.
const WORD: &str = "delete";

/// A question that waits for its answer.
pub(crate) struct Question {
    plan: Plan,
    /// Whether it is about deleting for good, not the trash.
    is_for_good: bool,
    typed: String,
}

impl App {
    /// Begins to remove what is marked, or else what is selected: looks at the disk before it asks.
    pub(crate) fn begin_removal(&mut self, is_for_good: bool) {
        let refused = match () {
            () if self.session.is_saved => Some("this was saved: nothing of it can be removed"),
            () if self.settings.read_only => Some("--read-only: nothing is changed"),
            () if self.session.is_scanning() || self.next.is_some() => {
                Some("the disk is still being read")
            }
            () if is_for_good && !self.settings.allow_delete => {
                Some("deleting for good needs --allow-delete; d moves to the trash")
            }
            () => None,
        };
        if let Some(why) = refused {
            return self.say(why);
        }
        let paths = self.targets();
        if paths.is_empty() {
            return self.say("nothing is selected");
        }
        self.say("looking at the disk ...");
        self.remember();
        self.worker_ask(Job::Plan { paths, is_for_good });
    }

    /// What is to be removed: what is marked, or else what is selected.
    fn targets(&self) -> Vec<Vec<u8>> {
        if !self.marks.is_empty() {
            return self.marks.iter().cloned().collect();
        }
        let selected = match self.selected {
            Some(Pick::Item(id)) => self.path_of(id),
            _ => None,
        };
        selected.into_iter().collect()
    }

    /// The disk was looked at.
    pub(crate) fn planned(&mut self, answer: Result<Plan, String>, is_for_good: bool) {
        self.said = None;
        match answer {
            Err(error) => self.say(error),
            Ok(plan) if plan.confirmed.is_empty() => {
                let why = plan
                    .refused
                    .first()
                    .map(|one| format!("{}: {}", name(&one.path), why_not(&one.why)));
                self.say(why.unwrap_or_else(|| "there is nothing to remove".to_owned()));
            }
            Ok(plan) => {
                self.question = Some(Question {
                    plan,
                    is_for_good,
                    typed: String::new(),
                });
                self.mode = Mode::Asking;
            }
        }
        self.touch();
    }

    /// A key while the question waits: anything but the answer takes it back.
    pub(crate) fn answer_key(&mut self, key: KeyEvent, host: &mut dyn Host) {
        let Some(question) = &mut self.question else {
            self.mode = Mode::Plain;
            return;
        };
        let is_answered = match (question.is_for_good, key.code) {
            (false, KeyCode::Char('y')) => true,
            (true, KeyCode::Char(c)) => {
                question.typed.push(c);
                return;
            }
            (true, KeyCode::Backspace) => {
                question.typed.pop();
                return;
            }
            (true, KeyCode::Enter) => question.typed == WORD,
            _ => false,
        };
        self.mode = Mode::Plain;
        let Some(question) = self.question.take().filter(|_| is_answered) else {
            return self.say("nothing was removed");
        };
        let surroundings = match question.is_for_good {
            true => None,
            false => match host.surroundings() {
                Ok(surroundings) => Some(surroundings),
                Err(error) => return self.say(error),
            },
        };
        self.say("removing ...");
        self.worker_ask(Job::Remove {
            plan: question.plan,
            surroundings,
        });
    }

    /// It was done: what is gone is marked no more, and the disk is read again.
    pub(crate) fn removed(&mut self, outcome: &Outcome) {
        for path in &outcome.gone {
            self.marks.remove(path);
        }
        self.find_marks();
        let mut text = format!(
            "{} gone with {} entries",
            grouped(outcome.gone.len() as u64),
            grouped(outcome.entries)
        );
        if outcome.bytes > 0 {
            text.push_str(&format!(", {} freed", self.numbers().bytes(outcome.bytes)));
        }
        if let Some(first) = outcome.failures.first() {
            text.push_str(&format!(
                "; {} not: {}: {}",
                outcome.failures.len(),
                name(&first.path),
                first.error
            ));
        }
        self.say(text);
        self.is_outdated = true;
    }

    /// The question, line by line.
    pub(crate) fn question_lines(&self) -> Vec<String> {
        let Some(Question {
            plan,
            is_for_good,
            typed,
        }) = &self.question
        else {
            return Vec::new();
        };
        let size = self.numbers().bytes(plan.bytes);
        let what = format!(
            "{} with {} entries, {size}",
            grouped(plan.confirmed.len() as u64),
            grouped(plan.entries)
        );
        let mut lines = vec![match is_for_good {
            true => format!("Delete {what}, for good? Type '{WORD}' and Enter: {typed}"),
            false => format!("Move {what} to the trash? y: yes, any other key: no"),
        }];
        lines.extend(plan.confirmed.iter().map(|one| {
            let changed = if one.is_changed {
                "  (changed since it was read)"
            } else {
                ""
            };
            format!("  {}{changed}", name(&one.path))
        }));
        let refused = plan.refused.iter();
        lines.extend(
            refused.map(|one| format!("  stays: {}: {}", name(&one.path), why_not(&one.why))),
        );
        lines
    }

    /// What is marked, and what that would free.
    pub(crate) fn marks_text(&self) -> String {
        let count = grouped(self.marks.len() as u64);
        let Some(freed) = &self.freed else {
            return format!("{count} marked");
        };
        let most = if freed.is_most { "up to " } else { "" };
        let mut text = format!(
            "{count} marked: deleting would free {most}{} in {} entries",
            self.numbers().bytes(freed.bytes),
            grouped(freed.entries)
        );
        if freed.kept.nodes > 0 {
            text.push_str(&format!(
                "; {} stay: other links to them are not marked ({} of {} are)",
                self.numbers().bytes(freed.kept.bytes),
                freed.kept.links.here,
                freed.kept.links.all
            ));
        }
        text
    }

    /// Asks what the marks would free, once that can be told.
    pub(crate) fn ask_freed(&mut self) {
        self.freed = None;
        if !self.marks.is_empty() && !self.session.is_scanning() {
            self.remember();
            let paths = self.marks.iter().cloned().collect();
            self.worker_ask(Job::Freed { paths });
        }
    }

    /// What the marks would free.
    pub(crate) fn set_freed(&mut self, answer: Result<Freed, String>) {
        match answer {
            Ok(freed) => self.freed = Some(freed),
            Err(error) => self.say(error),
        }
        self.touch();
    }
}

/// Why something stays, for people.
fn why_not(why: &Refusal) -> String {
    match why {
        Refusal::Top => "all of the map cannot be removed".to_owned(),
        Refusal::Unknown => "is not in the map".to_owned(),
        Refusal::Vanished => "is gone already".to_owned(),
        Refusal::Replaced => "is something else now".to_owned(),
        Refusal::Mount(path) => format!("something is mounted at {}", name(path)),
        Refusal::Unreadable(error) => error.to_string(),
        _ => "is refused".to_owned(),
    }
}

/// Paths as marks of the engine.
pub(crate) fn marks_of(paths: &[Vec<u8>]) -> Marks {
    let mut marks = Marks::new();
    for path in paths {
        marks.toggle(path);
    }
    marks
}
