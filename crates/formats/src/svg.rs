//! A treemap as one SVG file that needs nothing else.
//!
//! Names are hostile: they are shown escaped as on a terminal, and characters that XML gives a meaning
//! are written as entities. Colours follow the reader's wish for a dark or a light ground.

use groma_treemap::{Detail, Palette, Rect, Rgb, Shape, Theme, Tree, What, nest};

use crate::escape;

/// Height of the title above the map, and of a legend below it.
const TITLE: u16 = 44;
const LEGEND: u16 = 40;
/// Space around everything.
const MARGIN: u16 = 16;
/// Height of a line of text, and what a character is wide, about.
const LINE: u16 = 18;
const CHARACTER: f64 = 6.6;

/// What is drawn of an item.
#[derive(Clone, Debug, Default)]
pub struct SvgLabel {
    /// Its name, raw bytes.
    pub name: Vec<u8>,
    /// How large it is, for people.
    pub size: String,
    /// Its colour: a number of the palette; `None` for what has none of its own.
    pub colour: Option<usize>,
}

/// What stands around the map.
#[derive(Clone, Debug)]
pub struct SvgPage {
    /// The title, raw bytes: mostly a path.
    pub title: Vec<u8>,
    /// What is said beside it.
    pub subtitle: String,
    /// What colours mean, by their numbers.
    pub legend: Vec<String>,
    /// Width and height of the picture.
    pub size: (u16, u16),
}

/// Draws what lies in `top`. `label` tells of an item and how many items above it are one block with it.
pub fn svg<T: Tree>(
    tree: &T,
    top: T::Node,
    page: &SvgPage,
    label: impl Fn(T::Node, usize) -> SvgLabel,
) -> String {
    let (width, height) = (page.size.0.max(320), page.size.1.max(240));
    let area = Rect::new(
        MARGIN,
        TITLE + MARGIN,
        width - 2 * MARGIN,
        height - TITLE - LEGEND - 2 * MARGIN,
    );
    let mut out = head(page, width, height);
    let detail = Detail {
        shape: Shape::new(1.0, 90).unwrap_or_else(|_| Shape::terminal()),
        depth: 6,
        label: LINE + 4,
        width: 60,
        height: 52,
    };
    let frame = nest(tree, top, area, &detail);
    for block in &frame.blocks {
        match block.what {
            What::Node(node) => {
                let label = label(node, block.chain);
                push_block(block.rect, &label, block.inner.is_some(), &mut out);
            }
            What::Rest { count, .. } => {
                let label = SvgLabel {
                    name: format!("{count} smaller").into_bytes(),
                    size: String::new(),
                    colour: None,
                };
                push_rest(block.rect, &label, &mut out);
            }
        }
    }
    push_legend(page, width, height, &mut out);
    out.push_str("</svg>\n");
    out
}

fn head(page: &SvgPage, width: u16, height: u16) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\" font-size=\"12\">\n"
    );
    out.push_str(&format!("<title>{}</title>\n", shown(&page.title)));
    out.push_str(&style());
    out.push_str(
        "<defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" class=\"hatch\"/></pattern></defs>\n",
    );
    out.push_str("<rect width=\"100%\" height=\"100%\" class=\"ground\"/>\n");
    out.push_str(&format!(
        "<text x=\"{MARGIN}\" y=\"32\" class=\"title\">{}<tspan dx=\"14\" class=\"faint\">{}</tspan></text>\n",
        shown(&page.title),
        escaped(&page.subtitle)
    ));
    out
}

/// Colours of both grounds, as classes.
fn style() -> String {
    let rules = |theme: Theme| {
        let palette = Palette { theme };
        let (ground, ink, dir, line) = match theme {
            Theme::Light => ("#fbfbf9", "#22262c", "#e6eaf0", "#fbfbf9"),
            Theme::Dark => ("#12151a", "#d6dae0", "#262c35", "#12151a"),
        };
        let mut css = format!(
            ".ground{{fill:{ground}}}text{{fill:{ink}}}.dir{{fill:{dir}}}.closed{{fill:{}}}\
             rect{{stroke:{line};stroke-width:1}}.hatch{{stroke:{ink};stroke-opacity:.28;stroke-width:2}}",
            match theme {
                Theme::Light => "#d5dce6",
                Theme::Dark => "#3a4352",
            }
        );
        for number in 0..12 {
            let colour: Rgb = palette.category(number);
            css.push_str(&format!(
                ".c{number}{{fill:{}}}.t{number}{{fill:{}}}",
                colour.hex(),
                colour.ink().hex()
            ));
        }
        css
    };
    format!(
        "<style>{}.title{{font-size:20px;font-weight:600}}.faint{{opacity:.65;font-size:13px;font-weight:400}}\
         .name{{font-weight:600}}@media(prefers-color-scheme:dark){{{}}}</style>\n",
        rules(Theme::Light),
        rules(Theme::Dark)
    )
}

fn push_block(rect: Rect, label: &SvgLabel, is_open: bool, out: &mut String) {
    let class = match (is_open, label.colour) {
        (true, _) => "dir".to_owned(),
        (false, Some(number)) => format!("c{number}"),
        (false, None) => "closed".to_owned(),
    };
    let text = match (is_open, label.colour) {
        (false, Some(number)) => format!("t{number}"),
        _ => String::new(),
    };
    push_rect(rect, &class, label, out);
    let lines = match is_open || rect.height < 2 * LINE + 4 {
        true => vec![(label.name.clone(), label.size.clone())],
        false => vec![
            (label.name.clone(), String::new()),
            (label.size.clone().into_bytes(), String::new()),
        ],
    };
    for (at, (left, right)) in (0u16..).zip(lines) {
        push_line(rect, at, &left, &right, &text, is_open, out);
    }
}

fn push_rest(rect: Rect, label: &SvgLabel, out: &mut String) {
    push_rect(rect, "closed", label, out);
    out.push_str(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#hatch)\"/>\n",
        rect.x, rect.y, rect.width, rect.height
    ));
    push_line(rect, 0, &label.name, "", "", false, out);
}

fn push_rect(rect: Rect, class: &str, label: &SvgLabel, out: &mut String) {
    let title = format!("{} {}", shown(&label.name), escaped(&label.size));
    out.push_str(&format!(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{class}\"><title>{}</title></rect>\n",
        rect.x,
        rect.y,
        rect.width,
        rect.height,
        title.trim_end()
    ));
}

/// Writes a line into a block: a text, and one at its right end, cut to what there is room for.
fn push_line(
    rect: Rect,
    line: u16,
    left: &[u8],
    right: &str,
    class: &str,
    is_bold: bool,
    out: &mut String,
) {
    let room = (f64::from(rect.width) - 10.0) / CHARACTER;
    if room < 3.0 || rect.height < LINE * (line + 1) {
        return;
    }
    // Less than 2^16 / 6.
    let mut room = room as usize;
    let y = rect.y + LINE * (line + 1) - 4;
    let bold = if is_bold { " name" } else { "" };
    if !right.is_empty() && room > right.len() + 6 {
        room -= right.len() + 2;
        out.push_str(&format!(
            "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\" class=\"{class}\">{}</text>\n",
            rect.right() - 6,
            escaped(right)
        ));
    }
    let mut text = Vec::new();
    escape::terminal(left, &mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let text = match text.chars().count() > room {
        true => text
            .chars()
            .take(room.saturating_sub(1))
            .chain(['…'])
            .collect(),
        false => text,
    };
    out.push_str(&format!(
        "<text x=\"{}\" y=\"{y}\" class=\"{class}{bold}\">{}</text>\n",
        rect.x + 6,
        escaped(&text)
    ));
}

fn push_legend(page: &SvgPage, width: u16, height: u16, out: &mut String) {
    let y = height - LEGEND / 2;
    let mut x = f64::from(MARGIN);
    for (number, text) in page.legend.iter().enumerate() {
        let long = 22.0 + text.chars().count() as f64 * CHARACTER + 14.0;
        if x + long > f64::from(width) {
            break;
        }
        out.push_str(&format!(
            "<rect x=\"{x:.0}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"2\" class=\"c{}\"/>\
             <text x=\"{:.0}\" y=\"{}\">{}</text>\n",
            y - 10,
            if number + 1 == page.legend.len() {
                11
            } else {
                number % 11
            },
            x + 18.0,
            y,
            escaped(text)
        ));
        x += long;
    }
}

/// Raw bytes as text of XML.
fn shown(bytes: &[u8]) -> String {
    let mut text = Vec::new();
    escape::terminal(bytes, &mut text);
    escaped(&String::from_utf8_lossy(&text))
}

/// Text of XML. Characters that XML does not have are gone before, but for tabs, which it has.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() && c != '\t' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One directory with these files.
    struct Flat(Vec<(&'static [u8], u64)>);

    impl Tree for Flat {
        type Node = usize;

        fn children(&self, node: usize, out: &mut Vec<(usize, u64)>) {
            if node == 0 {
                out.extend(self.0.iter().enumerate().map(|(at, file)| (at + 1, file.1)));
            }
        }

        fn is_inner(&self, node: usize) -> bool {
            node == 0
        }
    }

    fn drawn(files: Vec<(&'static [u8], u64)>) -> String {
        let page = SvgPage {
            title: b"/a&b<".to_vec(),
            subtitle: "2 entries".to_owned(),
            legend: vec!["pictures".to_owned(), "videos".to_owned()],
            size: (800, 600),
        };
        let flat = Flat(files);
        svg(&flat, 0, &page, |node, _| SvgLabel {
            name: flat.0[node - 1].0.to_vec(),
            size: "5M".to_owned(),
            colour: Some(node % 11),
        })
    }

    #[test]
    fn hostile_names_stay_text() {
        let svg = drawn(vec![
            (b"</text><script>alert(1)</script>", 50),
            (b"bad\xff\x1b[31m\"'&", 40),
            ("\u{202e}gnp.exe".as_bytes(), 30),
        ]);
        assert!(!svg.contains("<script") && !svg.contains('\x1b') && !svg.contains('\u{202e}'));
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;") && svg.contains("bad\\xFF\\x1B[31m"));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(svg.contains("<title>/a&amp;b&lt;</title>"));
    }

    #[test]
    fn what_is_small_is_one_block() {
        let mut files: Vec<(&'static [u8], u64)> = vec![(b"large", 1_000_000)];
        files.extend((0..500).map(|_| (&b"s"[..], 1)));
        let svg = drawn(files);
        assert!(
            svg.contains("500 smaller") && svg.contains("url(#hatch)"),
            "{svg}"
        );
        assert!(svg.len() < 20_000);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(drawn(Vec::new()).ends_with("</svg>\n"));
    }
}
