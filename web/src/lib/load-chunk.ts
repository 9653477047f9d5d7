/** The pauses before the second and the third attempt to load a chunk, in milliseconds. */
const pauses = [0, 1500];

/** The files that were asked for, with what became of them. */
const asked = new Map<string, Promise<void>>();

/**
 * Loads a chunk with the files that it needs; the build puts it in place of each `import()`. It tries up
 * to three times. When all fail it dispatches `vite:preloadError`, as Vite's own code does, and rejects
 * with the last error.
 */
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  for (const pause of pauses) {
    try {
      return await tryToLoad(load, files);
    } catch {
      if (!navigator.onLine) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  try {
    return await tryToLoad(load, files);
  } catch (payload) {
    dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
    throw payload;
  }
}

/** Requests all files at once, and waits for the styles and then for the module, which waits for its scripts. */
async function tryToLoad<Module>(
  load: () => Promise<Module>,
  files: readonly string[],
): Promise<Module> {
  const added = files.map((file) => ({ file, isThere: addOnce(`/${file}`) }));
  const styles = added.filter(({ file }) => file.endsWith('.css'));
  await Promise.all(styles.map(({ isThere }) => isThere));
  return load();
}

/** Adds a file to the document unless it is there; one that has failed is asked for again the next time. */
function addOnce(path: string): Promise<void> {
  const known = asked.get(path);
  if (known) return known;
  const isThere = document.querySelector(`link[href="${path}"]`);
  const added = isThere ? Promise.resolve() : addFile(path);
  asked.set(path, added);
  added.catch(() => asked.delete(path));
  return added;
}

/** Adds a style sheet, or preloads a script; rejects when the file does not load. */
function addFile(path: string): Promise<void> {
  const link = document.createElement('link');
  if (path.endsWith('.css')) {
    link.rel = 'stylesheet';
  } else {
    link.rel = link.relList.supports('modulepreload') ? 'modulepreload' : 'preload';
    link.as = 'script';
  }
  link.crossOrigin = '';
  link.href = path;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`${path} did not load`));
    };
    document.head.append(link);
  });
}
