// Completes package-lock.json with the optional builds for other platforms that a registry left out when the
// lock was written: `npm ci` refuses a lock in which one of them is missing, on every platform.
// Usage: node scripts/lock-platforms.mjs FOLDER…
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/** What of a platform stands in a package's name, such as `cli-linux-x64-musl`. */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = systems.find((system) => parts.includes(system));
  const cpu = processors.find((processor) => parts.includes(processor));
  const libc = parts.includes('musl') ? 'musl' : parts.includes('gnu') ? 'glibc' : undefined;
  if (!os && !cpu) return undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

/** The folder of packages that a package lies in. */
const folderOf = (path) => path.replace(/(@[^/]+\/)?[^/]+$/, '');

/** Whether a package finds that version of another: beside itself or beside one of those it lies in. */
function finds(packages, path, name, version) {
  for (let folder = folderOf(path); folder; folder = folderOf(folder.replace(/\/?node_modules\/$/, ''))) {
    const found = packages[`${folder}${name}`];
    if (found) return found.version === version;
  }
  return false;
}

for (const folder of process.argv.slice(2)) {
  const file = join(folder, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const { packages } = lock;
  for (const [path, own] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(own.optionalDependencies ?? {})) {
      const platform = platformOf(name);
      const exact = version.replace(/^[\^~]/, '');
      if (!platform || finds(packages, path, name, exact)) continue;
      packages[`${folderOf(path)}${name}`] = { version: exact, ...platform, ...(own.dev && { dev: true }), license: own.license, optional: true };
    }
  }
  const [root, ...rest] = Object.keys(packages);
  lock.packages = Object.fromEntries([root, ...rest.sort()].map((path) => [path, packages[path]]));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
