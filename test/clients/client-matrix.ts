import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installPackage, packPackage } from '../packed-package.ts'
import { REAL_CLIENTS, type RealClient } from './real-clients.ts'
import { tryClient, type Transport, type Trial } from './try-client.ts'

export interface Cell {
  readonly client: RealClient
  readonly transport: Transport
  /** The trial, or why there is none. */
  readonly trial: Trial | string
}

/** The client's program in the first folder where npm installed it. */
export function programOf(client: RealClient, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, 'node_modules', '.bin', client.program)).find((path) => existsSync(path))
}

/** The folders in a variable or a flag, separated as in PATH. */
export const foldersIn = (named: string | undefined): string[] => (named ?? '').split(delimiter).filter(Boolean)

/** The package as published, and a folder for PATH that contains `ken`. */
export function installedKen(place: string): { readonly package: string; readonly bin: string } {
  const at = { package: join(place, 'package'), bin: join(place, 'bin') }
  installPackage(packPackage(place), at.package)
  mkdirSync(at.bin)
  symlinkSync('../package/bin/ken.js', join(at.bin, 'ken'))
  return at
}

/** Tries every available client, over both transports. */
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

/** Whether everything appears exactly once, and nothing is left behind. */
export const isGood = (trial: Trial): boolean =>
  trial.tools &&
  trial.sessionHook === 1 &&
  trial.promptHook === 1 &&
  trial.block === 1 &&
  trial.leftAtOnce.length === 0 &&
  trial.leftAfterUse.length === 0
