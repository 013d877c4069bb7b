//! Device numbers change at every mount: which file system of the segment a new one is.

use super::change::Change;
use super::{Delta, DeltaError};
use crate::about::Volume;
use crate::error::Damage;

impl Delta {
    /// Describes a file system whose device number entries will have that are put from now on. Where
    /// the segment knows the same file system by another number, that one is stored; where it knows
    /// another one by the same number, a number that is free.
    ///
    /// # Errors
    /// [`DeltaError::Damaged`].
    pub fn add_volume(&mut self, volume: Volume) -> Result<(), DeltaError> {
        let known = self.known_volumes()?;
        let stored = match known.iter().find(|known| is_same(known, &volume)) {
            Some(same) => same.device,
            None => {
                let device = free_number(&known, volume.device);
                self.make(Change::Volume(Volume { device, ..volume }))?;
                device
            }
        };
        self.devices.insert(volume.device, stored);
        Ok(())
    }

    /// The file systems of the segment, and those that were added.
    pub(crate) fn known_volumes(&self) -> Result<Vec<Volume>, Damage> {
        let numbers = 0..self.segment.volume_count();
        let known = numbers.map(|number| self.segment.volume(number));
        let mut known = known.collect::<Result<Vec<_>, _>>()?;
        known.extend_from_slice(&self.state.volumes);
        Ok(known)
    }
}

/// File systems are the same when UUID and subvolume are; where one of the two has no UUID, when
/// the numbers are.
fn is_same(a: &Volume, b: &Volume) -> bool {
    if a.uuid == [0; 16] || b.uuid == [0; 16] {
        return a.device == b.device;
    }
    (a.uuid, a.subvolume) == (b.uuid, b.subvolume)
}

/// The number itself, unless it is taken.
fn free_number(known: &[Volume], wanted: u64) -> u64 {
    let is_free = |number: &u64| known.iter().all(|known| known.device != *number);
    let others = (0..u64::MAX).rev();
    let mut numbers = std::iter::once(wanted).chain(others);
    numbers.find(is_free).unwrap_or(wanted)
}
