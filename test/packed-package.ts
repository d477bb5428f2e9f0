import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')

export const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Readonly<
  Record<
    'dependencies' | 'optionalDependencies' | 'peerDependencies' | 'devDependencies' | 'peerDependenciesMeta',
    Readonly<Record<string, string>>
  >
>

/** Builds the package as published, in `place`, and returns the path of the archive. */
export function packPackage(place: string): string {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT })
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  )
  return join(place, packed.filename)
}

/**
 * Unpacks the archive into a folder that contains only its installed dependencies, optionally without the optional
 * ones. Installing the dependencies again would need the network.
 */
export function installPackage(archive: string, into: string, { optional = true } = {}): void {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', archive, '-C', into, '--strip-components=1'])
  for (const name of Object.keys({ ...MANIFEST.dependencies, ...(optional && MANIFEST.optionalDependencies) })) {
    const path = join(into, 'node_modules', name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), path)
  }
  chmodSync(join(into, 'bin', 'ken.js'), 0o755)
}
