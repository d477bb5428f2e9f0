import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installPackage, packPackage } from '../packed-package.ts'
import { REAL_CLIENTS, type RealClient } from './real-clients.ts'
import { tryClient, type Transport, type Trial } from './try-client.ts'

export interface Cell {
  readonly client: RealClient
  readonly transport: Transport
  /** A word on why there is none. */
  readonly trial: Trial | string
}

/** The program of a client in the first of some folders that it was installed in by npm. */
export function programOf(client: RealClient, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, 'node_modules', '.bin', client.program)).find((path) => existsSync(path))
}

/** The folders that a variable or a flag names, as PATH does. */
export const foldersIn = (named: string | undefined): string[] => (named ?? '').split(delimiter).filter(Boolean)

/** The package as it would be published, and a folder for PATH with `ken` in it. */
export function installedKen(place: string): { readonly package: string; readonly bin: string } {
  const at = { package: join(place, 'package'), bin: join(place, 'bin') }
  installPackage(packPackage(place), at.package)
  mkdirSync(at.bin)
  symlinkSync('../package/bin/ken.js', join(at.bin, 'ken'))
  return at
}

/** Tries every client that is there, over both transports. */
export async function* clientMatrix(folders: readonly string[], wanted: readonly string[] = []): AsyncGenerator<Cell> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-matrix-')))
  try {
    const ken = installedKen(place).bin
    for (const client of REAL_CLIENTS.filter(({ program }) => wanted.length === 0 || wanted.includes(program)))
      for (const transport of ['stdio', 'http'] as const)
        yield { client, transport, trial: await tryOrSay(client, transport, { folders, ken }) }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function tryOrSay(
  client: RealClient,
  transport: Transport,
  { folders, ken }: { folders: readonly string[]; ken: string },
): Promise<Trial | string> {
  const program = programOf(client, folders)
  if (program === undefined) return `not installed (npm install ${client.package})`
  if (transport === 'http' && client.noHttp !== undefined) return client.noHttp
  return tryClient(client, transport, { ken, client: program })
}

/** Whether all is as it should be: each thing once, and nothing left behind. */
export const isGood = (trial: Trial): boolean =>
  trial.tools &&
  trial.sessionHook === 1 &&
  trial.promptHook === 1 &&
  trial.block === 1 &&
  trial.leftAtOnce.length === 0 &&
  trial.leftAfterUse.length === 0
