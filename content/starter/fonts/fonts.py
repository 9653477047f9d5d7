#!/usr/bin/python3
"""Makes the font files of a brand: one WOFF2 file for each language.

A file has the letters of its language, digits, punctuation and the signs of currencies, so that a
page loads one file for each typeface. The letters are those that servery check asks for. On Debian:

    apt install fonttools python3-brotli
    /usr/bin/python3 fonts/fonts.py --out brand/fonts --name sans --languages ru,en --signs "₽" Sans.ttf

Several fonts that differ in their weight become one variable font:

    /usr/bin/python3 fonts/fonts.py … Sans-Light.ttf Sans-Regular.ttf Sans-Bold.ttf
"""

import argparse
import copy
import json
import logging
import pathlib
import sys

from fontTools import subset, varLib
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

# The letters of each language stand beside the script, where servery new-brand writes them; in the
# repository they are those of the program.
HERE = pathlib.Path(__file__).resolve().parent
LETTERS = HERE / "letters.json"
if not LETTERS.exists():
    LETTERS = HERE.parents[2] / "internal/look/letters.json"

# What a page asks of a font: kerning, marks, forms of a language, figures of one width.
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "calt", "lnum", "pnum", "tnum"]


def read_arguments():
    """Returns the arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("fonts", nargs="+", help="TTF or OTF, variable or one for each weight")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder of the files")
    parser.add_argument("--name", required=True, help="files are called NAME-LANGUAGE.woff2")
    parser.add_argument("--languages", required=True, help="such as ru,en,de")
    parser.add_argument("--signs", default="", help="signs of the brand's currencies, such as ₽₸")
    parser.add_argument("--text", default="", help="other letters that every file has")
    parser.add_argument("--weights", help="lightest:heaviest that the theme uses, such as 340:700")
    return parser.parse_args()


def read_font(file):
    """Returns the font of a file. Where it draws the letters ʻ and ʼ as wide as an accent that stands
    alone, which tears Uzbek and Ukrainian words apart, the quotation marks of their shape take their place."""
    font = TTFont(file)
    widths, letters = font["hmtx"], font.getBestCmap()
    for letter, mark in ((0x2BB, 0x2018), (0x2BC, 0x2019)):
        if letter not in letters or mark not in letters:
            continue
        if widths[letters[letter]][0] <= 1.2 * widths[letters[mark]][0]:
            continue
        for table in font["cmap"].tables:
            if table.isUnicode() and letter in table.cmap:
                table.cmap[letter] = letters[mark]
    return font


def cut_font(font, text):
    """Leaves of the font what a text needs."""
    if "gvar" in font:  # which a font with fewer weights has not of a space
        for glyph in font.getGlyphOrder():
            font["gvar"].variations.setdefault(glyph, [])
    options = subset.Options()
    options.layout_features, options.hinting = FEATURES, False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    return font


def is_alike(fonts, glyph):
    """Reports whether a glyph has the same points in all fonts; between others nothing can be drawn."""
    shapes = []
    for font in fonts:
        if "glyf" not in font or glyph not in font["glyf"].keys():
            return True  # joining compares those itself
        drawn = font["glyf"][glyph]
        if drawn.isComposite():
            shapes.append([part.glyphName for part in drawn.components])
        else:
            shapes.append(list(drawn.endPtsOfContours) if drawn.numberOfContours > 0 else [])
    return all(shape == shapes[0] for shape in shapes)


def open_font(files, text):
    """Returns the font of a file, or the variable font of several weights, for a text."""
    if len(files) == 1:
        return read_font(files[0])
    # What only some of them have, and no page asks for, would keep them from being joined.
    fonts = [cut_font(read_font(file), text) for file in files]
    weights = [font["OS/2"].usWeightClass for font in fonts]
    if len(set(weights)) < len(weights):
        sys.exit(f"two fonts have the same weight: {weights}")
    if differing := [glyph for glyph in fonts[0].getGlyphOrder() if not is_alike(fonts, glyph)]:
        sys.exit(f"these fonts cannot be joined: take a variable font, or one weight; drawn in other ways are {', '.join(differing[:10])}")
    axis = AxisDescriptor()
    axis.tag, axis.name, axis.minimum, axis.maximum = "wght", "Weight", min(weights), max(weights)
    axis.default = min(weights, key=lambda weight: abs(weight - 400))
    design = DesignSpaceDocument()
    design.addAxis(axis)
    for font, weight in zip(fonts, weights):
        source = SourceDescriptor()
        source.font, source.location = font, {"Weight": weight}
        design.addSource(source)
    try:
        # Measures that differ by weight are no matter, and old fonts lack some of them.
        return varLib.build(design, exclude=["MVAR"])[0]
    except varLib.errors.VarLibError as error:
        sys.exit(f"these fonts cannot be joined: take a variable font, or one weight\n{error}")


def limit_weights(font, weights):
    """Returns the font with the named weights alone."""
    if not weights or "fvar" not in font:
        return font
    axis = next((axis for axis in font["fvar"].axes if axis.axisTag == "wght"), None)
    if axis is None:
        return font
    low, high = (float(weight) for weight in weights.split(":"))
    # The usual weight stays: a font cannot be cut beside it.
    low, high = min(max(low, axis.minValue), axis.defaultValue), max(min(high, axis.maxValue), axis.defaultValue)
    return instancer.instantiateVariableFont(font, {"wght": (low, high)})


def write_file(font, text, path):
    """Writes the part of the font that a text needs; returns which letters the font does not have."""
    missing = sorted(set(map(ord, text)) - set(font.getBestCmap()))
    part = cut_font(copy.deepcopy(font), text)
    part.flavor = "woff2"
    part.save(path)
    return "".join(map(chr, missing))


def main():
    """Writes a file for each language and prints its size."""
    logging.disable(logging.WARNING)
    arguments = read_arguments()
    letters = json.loads(LETTERS.read_text(encoding="utf-8"))
    texts = {}
    for language in arguments.languages.split(","):
        if language not in letters:
            sys.exit(f"{LETTERS.name} has no letters of {language}")
        texts[language] = letters["every"] + letters[language] + arguments.signs + arguments.text
    font = limit_weights(open_font(arguments.fonts, "".join(texts.values())), arguments.weights)
    arguments.out.mkdir(parents=True, exist_ok=True)
    for language, text in texts.items():
        path = arguments.out / f"{arguments.name}-{language}.woff2"
        missing = write_file(font, text, path)
        print(f"{path}: {path.stat().st_size / 1024:.1f} KB" + (f", without {missing}" if missing else ""))


if __name__ == "__main__":
    main()
