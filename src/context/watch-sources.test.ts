import { expect, test } from 'vitest'
import type { Watcher } from '../kernel/ports/watcher.ts'
import { watchSources } from './watch-sources.ts'

const A_DAY = 86_400

/** Machine on which a file changes on demand, and once while the first progress line is printed. */
function openMachine(places: readonly string[] = ['/projects/shop.db']) {
  const stop = new AbortController()
  const machine = {
    places,
    watched: [] as (readonly string[])[],
    open: 0,
    said: [] as string[],
    change: (): void => {},
    stop: () => stop.abort(),
  }
  const watcher: Watcher = {
    async watch(folders, { changed }) {
      machine.watched.push(folders)
      machine.open += 1
      machine.change = () => changed(folders)
      return { close: async () => void (machine.open -= 1) }
    },
  }
  const ctx = {
    signal: stop.signal,
    clock: { now: () => new Date('2026-01-02T03:04:05Z') },
    progress(line: string) {
      if (machine.said.push(line) === 1) machine.change()
    },
    contextProject: async () => ({ places: () => machine.places }),
  } as unknown as Parameters<typeof watchSources>[0]
  return { ctx, watcher, machine }
}

test('every file change triggers another sync until the caller stops it, and then nothing is watched', async () => {
  const { ctx, watcher, machine } = openMachine()
  let looks = 0
  await watchSources(ctx, watcher, {
    every: A_DAY,
    async look() {
      looks += 1
      if (looks === 3) machine.stop()
      else machine.change()
      return `look ${looks}`
    },
  })
  expect(machine.said).toEqual([
    'Looking again every 86400 s, and when one of 1 local file or folder changes. Ctrl-C ends it.',
    '03:04:05 look 1',
    '03:04:05 look 2',
    '03:04:05 look 3',
  ])
  expect(machine).toMatchObject({ watched: [['/projects/shop.db']], open: 0 })
})

test('a repeated failure is reported once and does not end the watch', async () => {
  const { ctx, watcher, machine } = openMachine()
  let looks = 0
  await watchSources(ctx, watcher, {
    every: A_DAY,
    async look() {
      looks += 1
      machine.change()
      if (looks < 3) throw new Error('ken.yaml is half written')
      machine.stop()
      return undefined
    },
  })
  expect(machine.said.slice(1)).toEqual([expect.stringContaining('ken.yaml is half written')])
})

test('watches new places in ken.yaml, and syncs once more so that no change in between is missed', async () => {
  const { ctx, watcher, machine } = openMachine()
  let looks = 0
  await watchSources(ctx, watcher, {
    every: A_DAY,
    async look() {
      looks += 1
      machine.places = ['/projects/shop.db', '/projects/notes']
      if (looks === 2) machine.stop()
      return undefined
    },
  })
  expect(machine).toMatchObject({ watched: [['/projects/shop.db'], ['/projects/shop.db', '/projects/notes']], open: 0 })
})
