package content

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"servery/internal/yamldoc"
)

const (
	// maxElements and maxElementDepth are how many elements a drawing may have, and how deep
	// they may stand within each other.
	maxElements, maxElementDepth = 20_000, 64

	svgSpace, linkSpace = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
)

// drawingElements are those that draw, or describe what is drawn. None of them runs, moves or
// loads anything.
var drawingElements = setOf(`svg g defs symbol use title desc switch
	path rect circle ellipse line polyline polygon text tspan textPath style
	linearGradient radialGradient stop pattern clipPath mask marker filter
	feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
	feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode
	feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`)

// wordAttributes are attributes whose value has no meaning but as words or numbers, styledAttributes
// those whose value may refer to another part of the drawing.
var (
	wordAttributes = setOf(`id class role lang aria-label aria-labelledby aria-describedby aria-hidden focusable
		version baseProfile type media d points viewBox data-name enable-background`)
	styledAttributes = setOf(`x y x1 y1 x2 y2 dx dy width height cx cy r rx ry fx fy fr rotate
		transform gradientTransform patternTransform preserveAspectRatio pathLength textLength lengthAdjust startOffset
		method spacing side gradientUnits spreadMethod offset patternUnits patternContentUnits clipPathUnits maskUnits
		maskContentUnits markerUnits markerWidth markerHeight refX refY orient overflow filterUnits primitiveUnits
		fill fill-opacity fill-rule stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity
		stroke-dasharray stroke-dashoffset vector-effect paint-order opacity color color-interpolation
		color-interpolation-filters color-rendering shape-rendering text-rendering image-rendering display visibility
		clip clip-path clip-rule mask mask-type mask-mode filter marker marker-start marker-mid marker-end isolation
		mix-blend-mode stop-color stop-opacity flood-color flood-opacity lighting-color transform-origin transform-box
		font font-family font-size font-style font-weight font-stretch font-variant font-size-adjust font-kerning
		letter-spacing word-spacing text-anchor text-decoration text-transform text-overflow white-space writing-mode
		direction unicode-bidi dominant-baseline alignment-baseline baseline-shift kerning
		in in2 result mode values operator k1 k2 k3 k4 stdDeviation edgeMode radius scale xChannelSelector
		yChannelSelector order kernelMatrix divisor bias targetX targetY kernelUnitLength preserveAlpha surfaceScale
		diffuseConstant specularConstant specularExponent limitingConeAngle azimuth elevation pointsAtX pointsAtY
		pointsAtZ z baseFrequency numOctaves seed stitchTiles tableValues slope intercept amplitude exponent`)
)

// activeStyles are words of styles that load something, or run in some browser. A backslash
// may hide any of them.
var activeStyles = []string{`\`, "url(", "src(", "image(", "image-set(", "@import", "@namespace", "@font-face", "expression", "javascript:", "-moz-binding", "behavior"}

var (
	fragment     = regexp.MustCompile(`^#[\pL\pN_.:-]+$`)
	fragmentURL  = regexp.MustCompile(`url\(\s*(#[\pL\pN_.:-]+|'#[\pL\pN_.:-]+'|"#[\pL\pN_.:-]+")\s*\)`)
	styleComment = regexp.MustCompile(`(?s)/\*.*?(\*/|$)`)
	errNotUTF8   = errors.New("it is not in UTF-8")
)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// drawingReader checks an SVG drawing, which is served as it is: anything that may do more than
// draw is refused.
type drawingReader struct {
	open     []string // the elements around what is read
	elements int
	styles   strings.Builder // the text of the <style> that is open
}

// faultOfDrawing returns the first fault of a drawing: its line, and why the drawing is refused. why
// is empty when there is no fault.
func faultOfDrawing(body []byte) (line int, why string) {
	decoder := xml.NewDecoder(bytes.NewReader(yamldoc.TrimByteOrderMark(body)))
	decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errNotUTF8 }
	d := &drawingReader{}
	for {
		token, err := decoder.RawToken() // raw: prefixes are seen as they are written
		line, _ := decoder.InputPos()
		switch {
		case errors.Is(err, io.EOF):
			return line, d.checkEnd()
		case err != nil:
			return line, "not an SVG drawing: " + syntaxOf(err)
		}
		if why := d.addToken(token); why != "" {
			return line, why
		}
	}
}

// syntaxOf returns the message of an error of the decoder, without the line.
func syntaxOf(err error) string {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return syntax.Msg
	}
	return errNotUTF8.Error() // the only other error that reading from memory has
}

// checkEnd returns what is missing at the end of the file, empty when nothing is missing.
func (d *drawingReader) checkEnd() string {
	switch {
	case d.elements == 0:
		return "not an SVG drawing: there is no <svg>"
	case len(d.open) > 0:
		return "not an SVG drawing: the file ends within <" + d.open[len(d.open)-1] + ">"
	}
	return ""
}

// addToken reads the next token of the drawing. It returns why the token is refused, empty when it is
// allowed.
func (d *drawingReader) addToken(token xml.Token) string {
	switch token := token.(type) {
	case xml.StartElement:
		return d.startElement(token)
	case xml.EndElement:
		return d.closeElement(writtenName(token.Name))
	case xml.CharData:
		return d.addText(token)
	case xml.ProcInst:
		if token.Target != "xml" {
			return "<?" + token.Target + " …?> is not taken"
		}
	case xml.Directive:
		name, _, _ := strings.Cut(string(token), " ")
		return fmt.Sprintf("<!%.80s …> is not taken", name)
	}
	return ""
}

// addText returns why text is refused, empty when it is allowed. The text of a style is collected.
func (d *drawingReader) addText(text []byte) string {
	switch {
	case len(d.open) == 0 && len(bytes.TrimSpace(text)) > 0 && d.elements == 0:
		return "not an SVG drawing: there is no <svg> before the text"
	case len(d.open) == 0 && len(bytes.TrimSpace(text)) > 0:
		return "not an SVG drawing: something follows </svg>"
	case len(d.open) > 0 && d.open[len(d.open)-1] == "style":
		d.styles.Write(text)
	}
	return ""
}

// startElement opens an element. It returns why the element is refused, empty when it is allowed.
func (d *drawingReader) startElement(e xml.StartElement) string {
	name := writtenName(e.Name)
	d.elements++
	switch {
	case len(d.open) == 0 && d.elements > 1:
		return "not an SVG drawing: something follows </svg>"
	case len(d.open) == 0 && name != "svg":
		return fmt.Sprintf("not an SVG drawing: the outermost element is <%.80s>", name)
	case len(d.open) == 0 && !slices.Contains(e.Attr, xml.Attr{Name: xml.Name{Local: "xmlns"}, Value: svgSpace}):
		return fmt.Sprintf("not an SVG drawing: <svg> needs xmlns=%q", svgSpace)
	case !drawingElements[name]:
		return fmt.Sprintf("<%.80s> is not taken", name)
	case len(d.open) > 0 && d.open[len(d.open)-1] == "style":
		return "<" + name + "> in <style> is not taken"
	case len(d.open) >= maxElementDepth:
		return fmt.Sprintf("elements are nested deeper than %d levels", maxElementDepth)
	case d.elements > maxElements:
		return fmt.Sprintf("more than %d elements", maxElements)
	}
	for _, a := range e.Attr {
		if why := faultOfAttribute(name, writtenName(a.Name), a.Value); why != "" {
			return why
		}
	}
	d.open = append(d.open, name)
	return ""
}

// closeElement closes the innermost element. It returns why the closing tag is refused, empty when it is
// allowed. Closing a style checks its text.
func (d *drawingReader) closeElement(name string) string {
	if len(d.open) == 0 || d.open[len(d.open)-1] != name {
		return fmt.Sprintf("not an SVG drawing: </%.80s> closes nothing", name)
	}
	d.open = d.open[:len(d.open)-1]
	if name != "style" {
		return ""
	}
	found := activeStyle(d.styles.String())
	d.styles.Reset()
	if found != "" {
		return "<style> is not taken: it has " + found + " in it"
	}
	return ""
}

// writtenName returns the name as it is written, with its prefix.
func writtenName(name xml.Name) string {
	if name.Space == "" {
		return name.Local
	}
	return name.Space + ":" + name.Local
}

// faultOfAttribute returns why an attribute of an element is refused, empty when it is allowed.
func faultOfAttribute(element, name, value string) string {
	notTaken := fmt.Sprintf("%s=%.80q of <%s> is not taken", name, value, element)
	switch {
	case name == "xmlns" || name == "xmlns:svg":
		if value != svgSpace {
			return notTaken
		}
	case name == "xmlns:xlink":
		if value != linkSpace {
			return notTaken
		}
	case name == "href" || name == "xlink:href":
		if !fragment.MatchString(value) {
			return notTaken + ": only a # and a name within the drawing"
		}
	case name == "style":
		if found := activeStyle(value); found != "" {
			return "style of <" + element + "> is not taken: it has " + found + " in it"
		}
	case styledAttributes[name]:
		if activeStyle(fragmentURL.ReplaceAllLiteralString(value, " ")) != "" {
			return notTaken + ": only url(#name)"
		}
	case name != "xml:space" && name != "xml:lang" && !wordAttributes[name]:
		return fmt.Sprintf("%.80s of <%s> is not taken", name, element)
	}
	return ""
}

// activeStyle returns the first word of activeStyles that a style text contains, empty when there is
// none. It looks at the text with its comments and without them: a comment may divide a word.
func activeStyle(text string) string {
	text = strings.ToLower(text)
	for _, styles := range []string{text, styleComment.ReplaceAllLiteralString(text, "")} {
		for _, word := range activeStyles {
			if strings.Contains(styles, word) {
				return word
			}
		}
	}
	return ""
}
