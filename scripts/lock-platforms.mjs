// Completes package-lock.json with the optional builds for other platforms that a registry left out when the
// lock was written: `npm ci` refuses a lock in which one of them is missing, on every platform.
// Usage: node scripts/lock-platforms.mjs FOLDER…
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * Returns the fields `cpu`, `libc` and `os` of a lock's entry by the package's name, such as `cli-linux-x64-musl`;
 * undefined when the name has no platform.
 */
function platformOf(name) {
  const parts = name.split(/[-/]/);
  const os = systems.find((system) => parts.includes(system));
  const cpu = processors.find((processor) => parts.includes(processor));
  const libc = parts.includes('musl') ? 'musl' : parts.includes('gnu') ? 'glibc' : undefined;
  if (!os && !cpu) return undefined;
  return { ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }), ...(os && { os: [os] }) };
}

/** Returns the `node_modules` folder of the package at a path, with a slash at its end. */
const folderOf = (path) => path.replace(/(@[^/]+\/)?[^/]+$/, '');

/**
 * Reports whether the package at a path resolves a name to that version. It looks into the package's folder and those
 * above it; the nearest entry decides.
 */
function resolvesTo(packages, path, name, version) {
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
      if (!platform || resolvesTo(packages, path, name, exact)) continue;
      packages[`${folderOf(path)}${name}`] = { version: exact, ...platform, ...(own.dev && { dev: true }), license: own.license, optional: true };
    }
  }
  const [root, ...rest] = Object.keys(packages);
  lock.packages = Object.fromEntries([root, ...rest.sort()].map((path) => [path, packages[path]]));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
