//! Reads an export entry by entry.

use std::io::Read;

use super::scanner::Scanner;
use super::{MAJOR, NcduError, NcduEvent, NcduHeader, NcduItem};

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The root.
    Root,
    /// An entry, or the end of the directory at hand.
    Inside,
    /// Nothing.
    Done,
}

/// Reads entries one after the other.
pub struct NcduReader<R> {
    scanner: Scanner<R>,
    header: NcduHeader,
    state: State,
    /// Directories that are open.
    depth: u64,
}

impl<R: Read> NcduReader<R> {
    /// Reads what comes before the root.
    ///
    /// # Errors
    /// [`NcduError`], among others where the major version is another.
    pub fn new(reader: R) -> Result<NcduReader<R>, NcduError> {
        let mut scanner = Scanner::new(reader);
        let mut header = NcduHeader::default();
        scanner.take(b'[', "'[', with which an export of ncdu begins")?;
        if scanner.whole()? != MAJOR {
            return scanner.unexpected("1 as the major version of the form, before this place");
        }
        scanner.take(b',', "a comma")?;
        header.minor = scanner.whole()?;
        scanner.take(b',', "a comma")?;
        scanner.header(&mut header)?;
        scanner.take(b',', "a comma, and then a directory")?;
        Ok(NcduReader {
            scanner,
            header,
            state: State::Root,
            depth: 0,
        })
    }

    /// What the export says about itself.
    pub fn header(&self) -> &NcduHeader {
        &self.header
    }

    /// Directories that are open: 1 for what lies in the root.
    pub fn depth(&self) -> u64 {
        self.depth
    }

    /// Goes on to the next event. Of a directory or an entry, `item` is what it says.
    ///
    /// # Errors
    /// [`NcduError`], after which there is nothing more to be read.
    pub fn read(&mut self, item: &mut NcduItem) -> Result<NcduEvent, NcduError> {
        let state = std::mem::replace(&mut self.state, State::Done);
        match state {
            State::Root => {
                self.scanner
                    .take(b'[', "'[', with which a directory begins")?;
                self.dir(item)
            }
            State::Inside if self.scanner.take_if(b']')? => self.up(),
            State::Inside => {
                self.scanner
                    .take(b',', "a comma or the end of a directory")?;
                if self.scanner.take_if(b'[')? {
                    return self.dir(item);
                }
                self.scanner
                    .item(item, "an object that describes an entry, or a directory")?;
                self.check_name(item)?;
                self.state = State::Inside;
                Ok(NcduEvent::Entry)
            }
            State::Done => Ok(NcduEvent::End),
        }
    }

    fn dir(&mut self, item: &mut NcduItem) -> Result<NcduEvent, NcduError> {
        self.scanner
            .item(item, "an object that describes the directory")?;
        if self.depth > 0 {
            self.check_name(item)?;
        }
        self.depth += 1;
        self.state = State::Inside;
        Ok(NcduEvent::Dir)
    }

    fn up(&mut self) -> Result<NcduEvent, NcduError> {
        self.depth -= 1;
        if self.depth > 0 {
            self.state = State::Inside;
            return Ok(NcduEvent::Up);
        }
        self.scanner.take(b']', "']', with which an export ends")?;
        match self.scanner.peek_token()? {
            None => Ok(NcduEvent::Up),
            Some(_) => self.scanner.unexpected("the end of the file"),
        }
    }

    /// Only the root's name is a path.
    fn check_name(&mut self, item: &NcduItem) -> Result<(), NcduError> {
        let is_step = item.name == b"." || item.name == b"..";
        if is_step || item.name.contains(&b'/') {
            return self
                .scanner
                .unexpected("a name without '/' that is no step, before this place");
        }
        Ok(())
    }
}
