//! Small JPEG files that are right to the last byte: eight grey pixels square, Exif, and filling.

use super::super::rng::Rng;

/// A picture with what cameras write into it.
pub(super) struct Picture<'a> {
    pub(super) make: &'a str,
    pub(super) model: &'a str,
    pub(super) offset: Option<&'a str>,
    pub(super) date: &'a str,
    pub(super) subsec: u16,
    pub(super) content_id: Option<&'a str>,
}

/// A JPEG without Exif, of about `size` bytes.
pub(super) fn bare(size: usize, rng: &mut Rng) -> Vec<u8> {
    image(None, size, rng)
}

impl Picture<'_> {
    /// The whole file, of about `size` bytes.
    pub(super) fn bytes(&self, size: usize, rng: &mut Rng) -> Vec<u8> {
        let mut exif = b"Exif\0\0".to_vec();
        exif.extend(self.tiff());
        image(Some(&exif), size, rng)
    }

    /// The block that Exif keeps: a directory with the camera, one with the times.
    fn tiff(&self) -> Vec<u8> {
        let mut times = vec![
            Field::text(0x9003, self.date),
            Field::text(0x9004, self.date),
        ];
        if let Some(offset) = self.offset {
            times.push(Field::text(0x9011, offset));
        }
        if let Some(id) = self.content_id {
            times.push(Field::bytes(0x927c, apple_note(id)));
        }
        times.push(Field::text(0x9291, &format!("{:03}", self.subsec)));
        let camera = [
            Field::text(0x010f, self.make),
            Field::text(0x0110, self.model),
        ];
        let mut out = b"MM\0\x2a\0\0\0\x08".to_vec();
        // The camera's directory has one more field: where the other directory begins.
        let after = out.len() + directory_len(camera.len() + 1);
        let values: usize = camera.iter().map(Field::stored).sum();
        let pointer = Field::long(0x8769, (after + values) as u32);
        let mut fields = Vec::from(camera);
        fields.push(pointer);
        put(&fields, &mut out);
        put(&times, &mut out);
        out
    }
}

/// A field of a directory: its tag, type, count and value.
struct Field {
    tag: u16,
    kind: u16,
    count: u32,
    value: Vec<u8>,
}

impl Field {
    fn text(tag: u16, text: &str) -> Field {
        let mut value = text.as_bytes().to_vec();
        value.push(0);
        Field {
            tag,
            kind: 2,
            count: value.len() as u32,
            value,
        }
    }

    fn bytes(tag: u16, value: Vec<u8>) -> Field {
        Field {
            tag,
            kind: 7,
            count: value.len() as u32,
            value,
        }
    }

    fn long(tag: u16, value: u32) -> Field {
        Field {
            tag,
            kind: 4,
            count: 1,
            value: value.to_be_bytes().to_vec(),
        }
    }

    /// Bytes that do not fit into the field itself.
    fn stored(&self) -> usize {
        match self.value.len() {
            0..=4 => 0,
            len => len.next_multiple_of(2),
        }
    }
}

fn directory_len(fields: usize) -> usize {
    2 + 12 * fields + 4
}

/// Appends a directory and its values; `out` begins where offsets count from.
fn put(fields: &[Field], out: &mut Vec<u8>) {
    let mut values: Vec<u8> = Vec::new();
    let after = out.len() + directory_len(fields.len());
    out.extend((fields.len() as u16).to_be_bytes());
    for field in fields {
        out.extend(field.tag.to_be_bytes());
        out.extend(field.kind.to_be_bytes());
        out.extend(field.count.to_be_bytes());
        if field.stored() == 0 {
            let mut inline = field.value.clone();
            inline.resize(4, 0);
            out.extend(inline);
        } else {
            out.extend(((after + values.len()) as u32).to_be_bytes());
            values.extend(&field.value);
            // Values begin at even places.
            values.resize(values.len().next_multiple_of(2), 0);
        }
    }
    out.extend(0u32.to_be_bytes());
    out.extend(values);
}

/// Apple's note with the one field that binds a picture to its movie.
fn apple_note(id: &str) -> Vec<u8> {
    let mut out = b"Apple iOS\0\0\x01MM".to_vec();
    let field = Field::text(0x0011, id);
    let after = out.len() + directory_len(1);
    out.extend(1u16.to_be_bytes());
    out.extend(field.tag.to_be_bytes());
    out.extend(field.kind.to_be_bytes());
    out.extend(field.count.to_be_bytes());
    // Offsets of this note count from its own beginning.
    out.extend((after as u32).to_be_bytes());
    out.extend(0u32.to_be_bytes());
    out.extend(field.value);
    out
}

/// A picture of one grey block, with `exif` in front and comments that no other picture has.
fn image(exif: Option<&[u8]>, size: usize, rng: &mut Rng) -> Vec<u8> {
    let mut out = vec![0xff, 0xd8];
    if let Some(exif) = exif {
        segment(0xe1, exif, &mut out);
    }
    let mut table = vec![0];
    table.extend([16; 64]);
    segment(0xdb, &table, &mut out);
    segment(0xc0, &[8, 0, 8, 0, 8, 1, 1, 0x11, 0], &mut out);
    // One code each: no difference, and the end of the block.
    for class in [0x00, 0x10] {
        let mut code = vec![class, 1];
        code.extend([0; 15]);
        code.push(0);
        segment(0xc4, &code, &mut out);
    }
    // What is left is filled with comments: the shortest has eight bytes of its own.
    loop {
        let filling = size.saturating_sub(out.len() + 20).clamp(8, 60_000);
        let mut comment = Vec::with_capacity(filling + 8);
        while comment.len() < filling {
            comment.extend(rng.next().to_be_bytes());
        }
        segment(0xfe, &comment, &mut out);
        if out.len() + 28 >= size {
            break;
        }
    }
    segment(0xda, &[1, 1, 0, 0, 63, 0], &mut out);
    out.extend([0x3f, 0xff, 0xd9]);
    out
}

fn segment(marker: u8, content: &[u8], out: &mut Vec<u8>) {
    out.extend([0xff, marker]);
    out.extend((content.len() as u16 + 2).to_be_bytes());
    out.extend(content);
}
