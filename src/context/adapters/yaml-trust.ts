import { existsSync, readFileSync } from 'node:fs'
import { parseDocument, type Document } from 'yaml'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { withLock } from '../../kernel/system/with-lock.ts'
import type { TrustedProject, TrustRecord } from '../ports/trust-record.ts'

const HEAD =
  ' Context projects that may reach beyond their folder. `ken trust --list` shows them, `ken trust --revoke` takes one out.'

const entry = z.object({ at: z.string(), reaches: z.record(z.string(), z.array(z.string())) })

/** Opens the trust file; reread for every question, as another process may have revoked trust. */
export function openYamlTrust(path: string): TrustRecord {
  const load = (): Document => {
    const document = parseDocument(existsSync(path) ? readFileSync(path, 'utf8') : '')
    if (document.errors.length === 0) return document
    throw new AppError('damaged', `${path} is not valid YAML: ${document.errors[0]!.message.split('\n')[0]}`, {
      hint: 'Fix the file, or move it away and trust your projects again.',
    })
  }
  // Owner only: write access here decides what a clone may read and reach.
  const save = (document: Document): void => writeAtomically(path, String(document), 0o600)
  const list = (): readonly TrustedProject[] =>
    Object.entries((load().toJS() as { projects?: Record<string, unknown> } | null)?.projects ?? {}).flatMap(
      ([root, value]) => {
        const read = entry.safeParse(value)
        // An unreadable entry grants nothing.
        return read.success ? [{ root, at: read.data.at, granted: read.data.reaches }] : []
      },
    )
  const put = ({ root, at, granted }: TrustedProject): void => {
    const document = load()
    document.commentBefore ??= HEAD
    document.setIn(['projects', root], { at, reaches: granted })
    save(document)
  }
  const alone = <T>(change: () => T): T => withLock(`${path}.lock`, change)
  return {
    list,
    find: (root) => list().find((project) => project.root === root),
    grant: (project) => alone(() => put(project)),
    extend: ({ root, at, granted }) =>
      alone(() => {
        const before = list().find((project) => project.root === root)?.granted
        put({ root, at, granted: { ...before, ...granted } })
      }),
    revoke: (root) =>
      alone(() => {
        const document = load()
        if (!document.hasIn(['projects', root])) return false
        document.deleteIn(['projects', root])
        save(document)
        return true
      }),
  }
}
