import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { KEN } from './ken-program.ts'

export const isRoot = process.getuid?.() === 0

export type Refusal =
  | 'read-only'
  | 'read-only with a damaged index'
  | 'full'
  | "someone else's"
  | 'a read-only place for a new home'

export interface RefusedHome {
  ken(...argv: readonly string[]): Promise<{ code: number; said: string; out: string }>
  close(): void
}

/** A home with a project, notes and an index, in which nothing can be written. */
export async function openRefusedHome(refusal: Refusal): Promise<RefusedHome> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-refused-')))
  const [disk, repository] = [join(place, 'disk'), join(place, 'shop')]
  const home = join(disk, 'home')
  for (const folder of [disk, join(place, 'docs'), join(repository, '.git'), join(repository, 'src')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(place, 'docs', 'queue.md'), '# Queue\n\nThe payment queue retries with jitter.\n')
  writeFileSync(join(repository, 'src', 'store.ts'), 'export function openStore() {}\n')
  const isMounted = refusal !== "someone else's"
  if (isMounted) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', disk])
  let before: readonly string[] = []

  const ken: RefusedHome['ken'] = async (...argv) => {
    const [program, ...words] = [...before, process.execPath, KEN, ...argv]
    const child = spawn(program!, words, {
      cwd: repository,
      env: { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, said] = [text(child.stdout), text(child.stderr)]
    const [code] = (await once(child, 'exit')) as [number]
    return { code, said: await said, out: await out }
  }

  if (refusal !== 'a read-only place for a new home') {
    for (const argv of [
      // The disk of these tests is smaller than the default minimum of free space.
      ['config', 'set', 'storage.minFreeDisk', '0'],
      ['init', 'shop', '--demo'],
      ['collection', 'add', 'docs', join(place, 'docs')],
      ['write', 'The marmot likes the queue'],
      ['config', 'unset', 'storage.minFreeDisk'],
    ])
      await ken(...argv)
  }
  if (refusal === 'read-only with a damaged index') truncateSync(join(home, 'index.db'), 20_000)
  if (refusal === 'full') fillUp(disk)
  else if (isMounted) execFileSync('mount', ['-o', 'remount,ro', disk])
  else if (isRoot) {
    openToAll(place)
    before = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  } else chmodSync(home, 0o500)

  return {
    ken,
    close() {
      if (isMounted) execFileSync('umount', [disk])
      else chmodSync(home, 0o700)
      rmSync(place, { recursive: true, force: true })
    },
  }
}

export function canMount(): boolean {
  if (!isRoot) return false
  const probe = mkdtempSync(join(tmpdir(), 'ken-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { recursive: true, force: true })
  }
}

function fillUp(disk: string): void {
  for (let size = 4 * 1024 * 1024, n = 0; size >= 4096; n++) {
    try {
      writeFileSync(join(disk, `fill-${n}`), Buffer.alloc(size))
    } catch {
      size /= 2
    }
  }
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openToAll(join(folder, entry.name))
    else if (entry.isFile()) chmodSync(join(folder, entry.name), 0o644)
  }
}
