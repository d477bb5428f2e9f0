import { open, readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { leftovers } from './crash-traces.ts'
import { appendDurably, discard, sizeOf, syncFolder, writeDurably } from './durable.ts'
import { decodeIntent, type Append, type Intent } from './intent.ts'
import type { RecordFolder } from './record-folder.ts'
import { locateAll } from './transaction.ts'

/** Finishes whole intents, drops torn ones, and sweeps up. The caller holds the lock, so nobody else's work is in here. Doing it again does no harm. */
export async function recover(folder: RecordFolder, scratch: string): Promise<void> {
  const names = await leftovers(scratch)
  for (const name of names.filter((n) => n.endsWith('.intent')).sort()) {
    const intent = decodeIntent(await readFile(join(scratch, name), 'utf8'))
    if (intent !== undefined) await finish(folder, scratch, intent)
    await discard(join(scratch, name))
  }
  for (const name of names) await discard(join(scratch, name))
}

async function finish(folder: RecordFolder, scratch: string, intent: Intent): Promise<void> {
  const targets = await locateAll(folder, intent)
  const last = intent.appends.at(-1)
  // The last line lands last: where it stands, later changes may already lie over the rest.
  if (last !== undefined && (await stateOf(targets.get(last.path)!, last)) === 'whole') return
  for (const { path, text } of intent.writes) {
    const copy = join(scratch, `${intent.id}.recovered`)
    await writeDurably(copy, text)
    await rename(copy, targets.get(path)!)
  }
  for (const path of intent.removes) await discard(targets.get(path)!)
  for (const append of intent.appends) await finishAppend(targets.get(append.path)!, append)
  for (const parent of new Set([...targets.values()].map((path) => dirname(path)))) await syncFolder(parent)
}

async function finishAppend(path: string, append: Append): Promise<void> {
  const state = await stateOf(path, append)
  if (state === 'whole') return
  // Another program wrote there since: its lines stay, ours go behind them.
  await appendDurably(path, state === 'torn' ? append.offset : await sizeOf(path), append.text)
}

async function stateOf(path: string, { offset, text }: Append): Promise<'whole' | 'torn' | 'foreign'> {
  const wanted = Buffer.from(text)
  const size = await sizeOf(path)
  if (size < offset) return 'foreign'
  if (size === offset) return 'torn'
  const file = await open(path, 'r')
  try {
    const length = Math.min(wanted.length, size - offset)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
    if (!buffer.equals(wanted.subarray(0, length))) return 'foreign'
    return length === wanted.length ? 'whole' : 'torn'
  } finally {
    await file.close()
  }
}
