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
	// format changes when the same folder would give another document.
	format = "1"
)

// Folder is a content folder that was read and found whole.
type Folder struct {
	// Document is ready but for the addresses of its pictures, which import fills in.
	Document *catalog.Document

	files    fs.FS
	pictures *album
}

// reader holds what is known of a folder while it is read.
type reader struct {
	*faults
	files     fs.FS
	names     []string // of all files, sorted
	trees     map[string]value
	document  *catalog.Document
	places    map[string]*place // by alias
	countries map[string]*site.Country
	ids       map[string]string // what has a name already, to where it stands
	album     *album
}

// Read reads and checks the folder. There is a Folder only when there are no faults;
// these come sorted by file and line.
func Read(files fs.FS) (*Folder, []Fault) {
	r := &reader{
		faults: &faults{}, files: files, trees: map[string]value{},
		document:  &catalog.Document{Streets: map[int64][]geo.Street{}},
		places:    map[string]*place{},
		countries: map[string]*site.Country{},
		ids:       map[string]string{},
	}
	r.album = newAlbum(files, r.faults)
	r.names = list(files, r.faults)
	r.album.names = r.names
	brands := r.brands()
	if len(brands) == 0 {
		r.add("brand.yaml", 0, "there is no brand: no folder with a brand.yaml in it")
	}
	// What refers to a file that cannot be read would be a fault too, but not a true one.
	if r.parse(brands); len(r.list) > 0 {
		return nil, r.sorted()
	}
	r.readCountries()
	for _, name := range r.within("places") {
		r.readPlace(r.trees[name])
	}
	for _, dir := range brands {
		r.readBrand(dir)
	}
	if len(r.list) == 0 {
		r.checkSites()
	}
	if found := r.sorted(); len(found) > 0 {
		return nil, found
	}
	return &Folder{Document: r.document, files: files, pictures: r.album}, nil
}

// parse reads all files that belong to the folder.
func (r *reader) parse(brands []string) {
	names := append([]string{countriesFile}, r.within("places")...)
	for _, dir := range brands {
		for _, file := range brandFiles {
			names = append(names, dir+"/"+file)
		}
		for _, file := range optionalFiles {
			if _, found := slices.BinarySearch(r.names, dir+"/"+file); found {
				names = append(names, dir+"/"+file)
			}
		}
		names = append(names, r.within(dir+"/menu")...)
	}
	for _, name := range names {
		if tree, ok := parse(r.files, name, r.faults); ok {
			r.trees[name] = tree
		}
	}
}

// checkSites proves that the brands can be served together.
func (r *reader) checkSites() {
	sites := make([]*site.Site, len(r.document.Brands))
	for i := range r.document.Brands {
		copied := *r.document.Brands[i].Site
		copied.Cities = nil
		sites[i] = &copied
	}
	if _, err := site.New(sites, nil); err != nil {
		r.add("brand.yaml", 0, "%v", err)
	}
}

// Check gives what is wrong with a folder, sorted by file and line; nothing when it
// can be imported.
func Check(files fs.FS) []Fault {
	_, found := Read(files)
	return found
}

// list gives the names of the files, sorted. Anything but plain files and folders is
// a fault: a link may lead out of the folder.
func list(files fs.FS, f *faults) []string {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if strings.HasPrefix(entry.Name(), ".") && name != "." {
				return fs.SkipDir
			}
		case !entry.Type().IsRegular():
			f.add(name, 0, "neither a file nor a folder; links are not taken")
		case len(names) >= maxFiles:
			f.add(name, 0, "more than %d files", maxFiles)
			return fs.SkipAll
		default:
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		f.add(".", 0, "the folder cannot be read: %v", err)
	}
	slices.Sort(names)
	return names
}

// within gives the YAML files directly in a folder, sorted.
func (r *reader) within(dir string) []string {
	var found []string
	for _, name := range r.names {
		if path.Dir(name) == dir && path.Ext(name) == ".yaml" {
			found = append(found, name)
		}
	}
	return found
}

// brands gives the folders of brands, sorted.
func (r *reader) brands() []string {
	var dirs []string
	for _, name := range r.names {
		if dir, file := path.Split(name); file == "brand.yaml" && strings.Count(dir, "/") == 1 {
			dirs = append(dirs, path.Clean(dir))
		}
	}
	return dirs
}

// unique makes sure that something is named once: kind and name together.
func (r *reader) unique(v value, kind, name string) {
	if name == "" || name == "0" {
		return
	}
	at := Fault{File: v.file, Line: v.line()}
	id := kind + " " + name
	if first, taken := r.ids[id]; taken {
		v.fault("%s %s is taken already at %s", kind, name, first)
		return
	}
	r.ids[id] = strings.TrimSuffix(at.String(), ": ")
}

// shared is how texts of files are read that belong to no brand.
var shared = tongue{plain: lang.All()}

// Hash gives a name to all that the folder holds. Equal hashes are equal folders.
func Hash(files fs.FS) (string, error) {
	f := &faults{}
	sum := sha256.New()
	io.WriteString(sum, format) //nolint:errcheck // a hash never fails
	for _, name := range list(files, f) {
		file, err := files.Open(name)
		if err != nil {
			return "", err
		}
		one := sha256.New()
		size, err := io.Copy(one, file)
		if closeErr := file.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return "", err
		}
		sum.Write(binary.BigEndian.AppendUint64([]byte(name), uint64(size)))
		sum.Write(one.Sum(nil))
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
