import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Lease } from '../../kernel/ports/lease.ts'
import { parseObject } from '../../kernel/system/json-value.ts'
import type { WatchPost } from '../ports/watch-post.ts'

/** The lease shows whether a process is watching; the file only shows which, because its pid may have been reused. */
export function openWatchPost({ lease, path }: { readonly lease: Lease; readonly path: string }): WatchPost {
  return {
    take() {
      const release = lease.tryTake()
      if (release === undefined) return undefined
      writeFileSync(path, `${JSON.stringify({ pid: process.pid })}\n`, { mode: 0o600 })
      return () => {
        rmSync(path, { force: true })
        release()
      }
    },
    holder() {
      const release = lease.tryTake()
      release?.()
      if (release !== undefined) return undefined
      const pid = Number(parseObject(textOf(path))?.pid)
      return Number.isInteger(pid) && pid > 1 ? { pid } : undefined
    },
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
