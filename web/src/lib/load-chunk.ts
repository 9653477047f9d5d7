/** The pauses before the second to the fourth attempt to load a chunk, in milliseconds. */
const pauses = [0, 500, 1500];

/** The files that were requested, with the promises that they are loaded. */
const requested = new Map<string, Promise<void>>();

/**
 * Loads a chunk with the files that it needs, in up to four attempts; after a failure without a network it
 * makes only one more. When all fail, it dispatches `vite:preloadError`, as Vite's own code does, and rejects
 * with the last error. The build replaces each `import()` by a call of it.
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

/** Requests all files at once, waits for the styles, and then loads the module, which waits for its scripts. */
async function tryToLoad<Module>(
  load: () => Promise<Module>,
  files: readonly string[],
): Promise<Module> {
  const added = files.map((file) => ({ file, isThere: addOnce(`/${file}`) }));
  const styles = added.filter(({ file }) => file.endsWith('.css'));
  await Promise.all(styles.map(({ isThere }) => isThere));
  return load();
}

/** Adds a file to the document unless it is there. A file that has failed is requested again the next time. */
function addOnce(path: string): Promise<void> {
  const known = requested.get(path);
  if (known) return known;
  const isThere = document.querySelector(`link[href="${path}"]`);
  const added = isThere ? Promise.resolve() : addFile(path);
  requested.set(path, added);
  added.catch(() => requested.delete(path));
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
