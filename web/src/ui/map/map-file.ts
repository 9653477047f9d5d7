/** How much of a map file is fetched first: its header and its root directory lie within. */
const startLength = 16_384;

const starts = new Map<string, Promise<ArrayBuffer>>();

/**
 * Fetches bytes of a file; the result is shorter at the end of the file. From a server that sends the whole file it
 * takes the wanted part. It throws when the server refuses.
 */
async function fetchRange(url: string, offset: number, length: number, signal?: AbortSignal) {
  const response = await fetch(url, {
    headers: { range: `bytes=${offset}-${offset + length - 1}` },
    signal,
  });
  if (!response.ok) throw new Error(`map file: status ${response.status}`);
  const data = await response.arrayBuffer();
  return response.status === 206 ? data : data.slice(offset, offset + length);
}

/** Begins to fetch the start of a map file, which takes place while the code of the map loads. */
export function startMapFile(url: string): Promise<ArrayBuffer> {
  let start = starts.get(url);
  if (!start) {
    start = fetchRange(url, 0, startLength);
    starts.set(url, start);
    // The map fetches a start that has failed once more, and shows no tiles when that fails too.
    start.catch(() => starts.delete(url));
  }
  return start;
}

/** Returns bytes of a map file, from its start where that has them. */
export async function readMapFile(
  url: string,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  if (offset + length <= startLength) {
    return (await startMapFile(url)).slice(offset, offset + length);
  }
  return fetchRange(url, offset, length, signal);
}
