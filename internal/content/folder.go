// Package content reads what the brands sell from a folder of YAML files and
// pictures, checks all of it, and imports it as a new revision, all or nothing.
// docs/content.md describes the folder.
package content

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"servery/internal/catalog"
	"servery/internal/geo"
	"servery/internal/lang"
	"servery/internal/site"
)

const (
	// maxFiles is how many files a folder may have.
	maxFiles = 50_000
	// format changes when the same folder would become another document.
	format = "2"
)

// Folder is a content folder that was read without a fault.
type Folder struct {
	// Document is ready but for the addresses of its pictures, which import fills in.
	Document *catalog.Document

	files        fs.FS
	pictures     *album
	untranslated []Fault
	ends         []end
	places       map[string]*cityPlace // by alias
}

// FindPlace returns a city of the folder, and the name of its file of addresses, which may be absent.
// It reports false when no place has the alias.
func (f *Folder) FindPlace(alias string) (city *site.City, addresses string, ok bool) {
	p, ok := f.places[alias]
	if !ok {
		return nil, "", false
	}
	return &p.city, p.registerFile(), true
}

// Untranslated returns the texts that are missing in a language of their brand, and shown
// in its default one, sorted by file and line.
func (f *Folder) Untranslated() []Fault { return f.untranslated }

// reader is the state of a folder while it is read.
type reader struct {
	*faults
	files fs.FS
	names []string // of all files, sorted
	trees map[string]value
	// unread are the files, and the folder places, that could not be read: references to them
	// cannot be checked.
	unread    map[string]bool
	document  *catalog.Document
	places    map[string]*cityPlace // by alias
	countries map[string]*site.Country
	ids       map[string]string // what has a name already, to where it stands
	album     *album
	defaults  []string // where a brand is said to be the default one
	ends      []end
}

// Read reads and checks the folder. It returns all faults and warnings, sorted by file and
// line. The Folder is nil when there is a fault; warnings alone do not matter.
func Read(files fs.FS) (*Folder, []Fault) {
	r := &reader{
		faults: &faults{}, files: files, trees: map[string]value{}, unread: map[string]bool{},
		document:  &catalog.Document{Streets: map[int64][]geo.Street{}, Registers: map[int64][]byte{}},
		places:    map[string]*cityPlace{},
		countries: map[string]*site.Country{},
		ids:       map[string]string{},
	}
	r.album = newAlbum(files, r.faults)
	r.names = listFiles(files, r.faults)
	r.album.names, r.album.inOtherCase = r.names, r.hintOtherCase
	brands := r.brandDirs()
	if len(brands) == 0 {
		r.addFault("brand.yaml", 0, "there is no brand: no folder with a brand.yaml in it")
	}
	r.warnOfLeftOut(brands)
	r.parseAll(brands)
	r.readCountries()
	for _, name := range r.yamlFiles("places") {
		if tree, ok := r.trees[name]; ok {
			r.readPlace(tree)
		} else {
			r.unread["places"] = true
		}
	}
	for _, dir := range brands {
		r.readBrand(dir)
	}
	r.checkDefault(brands)
	found := r.sortedList()
	if !r.isSound() {
		return nil, found
	}
	return &Folder{Document: r.document, files: files, pictures: r.album, untranslated: r.findUntranslated(brands), ends: r.ends, places: r.places}, found
}

// parseAll parses the YAML files that the content is read from: the shared ones and those of the
// brands. Other files of the folder are left alone.
func (r *reader) parseAll(brands []string) {
	names := append([]string{countriesFile}, r.yamlFiles("places")...)
	for _, dir := range brands {
		for _, file := range brandFiles {
			names = append(names, dir+"/"+file)
		}
		for _, file := range optionalFiles {
			if _, found := slices.BinarySearch(r.names, dir+"/"+file); found {
				names = append(names, dir+"/"+file)
			}
		}
		names = append(names, r.yamlFiles(dir+"/menu")...)
		names = append(names, r.yamlFiles(dir+"/pages")...)
	}
	for _, name := range names {
		if tree, ok := r.parseFile(name); ok {
			r.trees[name] = tree
		} else {
			r.unread[name] = true
		}
	}
}

// checkDefault makes the first brand the default one when no brand says that it is: the one that answers for unknown
// hosts. Where there are several it adds a warning. It leaves a folder alone whose file of a brand could not be read.
func (r *reader) checkDefault(brands []string) {
	if len(r.defaults) > 0 || len(r.document.Brands) == 0 || slices.ContainsFunc(brands, func(dir string) bool { return r.unread[dir+"/brand.yaml"] }) {
		return
	}
	r.document.Brands[0].Site.Default = true
	if len(brands) > 1 {
		r.addWarning(brands[0]+"/brand.yaml", 0, "no brand is the default one: %s, the first by name, answers for unknown hosts; write default: true into the brand.yaml of the one that shall", brands[0])
	}
}

// warnOfLeftOut adds a warning for each YAML file that is not read because of its name, in a folder places, menu or pages
// or with nearly the name of a file of a brand. Other files may stand there: they are somebody's notes.
func (r *reader) warnOfLeftOut(brands []string) {
	for _, name := range r.names {
		ending, dir := path.Ext(name), path.Dir(name)
		isOfBrand := slices.Contains(brands, dir) && hasNearlyTheName(path.Base(name))
		switch isYAML := strings.EqualFold(ending, ".yaml") || strings.EqualFold(ending, ".yml"); {
		case !isYAML:
		case ending != ".yaml" && (isOfBrand || slices.Contains([]string{"places", "menu", "pages"}, path.Base(dir))):
			r.addWarning(name, 0, "left out: only names that end in .yaml are read")
		case isOfBrand:
			r.addWarning(name, 0, "left out: a brand has no file of this name")
		}
	}
}

// hasNearlyTheName reports whether a file's name is that of a file of a brand, but for its ending or the s of a plural.
func hasNearlyTheName(name string) bool {
	word, _, _ := strings.Cut(strings.ToLower(name), ".")
	return slices.ContainsFunc(slices.Concat(brandFiles, optionalFiles), func(known string) bool {
		of, _, _ := strings.Cut(known, ".")
		return of != word && strings.TrimSuffix(of, "s") == strings.TrimSuffix(word, "s") || of == word && !strings.EqualFold(known, name)
	})
}

// hintOtherCase returns a hint about a file whose name differs from one of the names in the case of
// its letters only; empty when there is none.
func (r *reader) hintOtherCase(names ...string) string {
	for _, there := range r.names {
		for _, name := range names {
			if there != name && strings.EqualFold(there, name) {
				return ", but there is " + there + ": rename it, letter case counts"
			}
		}
	}
	return ""
}

// listFiles returns the names of the files, sorted. Folders whose names begin with a dot are left
// out. Anything but plain files and folders is a fault: a link may lead out of the folder. So is a folder that cannot
// be read.
func listFiles(files fs.FS, f *faults) []string {
	names, err := walkFiles(files, f)
	if err != nil {
		f.addFault(".", 0, "the folder cannot be read: %v", err)
	}
	return names
}

// walkFiles returns what listFiles does, and an error when a folder cannot be read.
func walkFiles(files fs.FS, f *faults) (names []string, err error) {
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if strings.HasPrefix(entry.Name(), ".") && name != "." {
				return fs.SkipDir
			}
		case !entry.Type().IsRegular():
			f.addFault(name, 0, "neither a file nor a folder; links are not taken")
		case len(names) >= maxFiles:
			f.addFault(name, 0, "more than %d files", maxFiles)
			return fs.SkipAll
		default:
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// yamlFiles returns the YAML files directly in a folder, sorted.
func (r *reader) yamlFiles(dir string) []string {
	var found []string
	for _, name := range r.names {
		if path.Dir(name) == dir && path.Ext(name) == ".yaml" {
			found = append(found, name)
		}
	}
	return found
}

// brandDirs returns the folders of brands, sorted: those at the top that hold a file which every
// brand has. The letter case of its name does not count here, so that a wrong one is reported
// instead of leaving out the brand.
func (r *reader) brandDirs() []string {
	var dirs []string
	for _, name := range r.names {
		dir, file := path.Split(name)
		if dir = path.Clean(dir); strings.Contains(dir, "/") || dir == "." || slices.Contains(dirs, dir) {
			continue
		}
		if slices.Contains(brandFiles, strings.ToLower(file)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// checkUnique records that something of the kind has this name, and adds a fault when another has it
// already.
func (r *reader) checkUnique(v value, kind, name string) {
	if name == "" || name == "0" { // it could not be read, which is a fault of its own
		return
	}
	id := kind + " " + name
	if first, taken := r.ids[id]; taken {
		v.addFault("%s %s is taken already at %s", kind, name, first)
		return
	}
	r.ids[id] = v.position()
}

// sharedTexts is how texts of files are read that belong to no brand.
var sharedTexts = textRules{plain: lang.All()}

// Hash returns a name for all that the folder holds: folders with the same hash have the same files.
func Hash(files fs.FS) (string, error) {
	f := &faults{} // not used: Read finds the same faults
	sum := sha256.New()
	io.WriteString(sum, format) //nolint:errcheck // a hash never fails
	names, err := walkFiles(files, f)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		file, err := files.Open(name)
		if err != nil {
			return "", err
		}
		contents := sha256.New()
		size, err := io.Copy(contents, file)
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return "", err
		}
		sum.Write(binary.BigEndian.AppendUint64([]byte(name), uint64(size)))
		sum.Write(contents.Sum(nil))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
