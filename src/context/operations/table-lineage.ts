import { z } from 'zod'
import type { Given } from '../../operations/context.ts'
import type { CompiledTable, Manifest, ManifestEntry } from '../domain/context-project/manifest.ts'
import { dbtLineage, writtenByLine } from '../domain/sources/read-lineage.ts'
import type { ContextProject } from '../ports/context-project.ts'

export const tableLineage = z.object({
  source: z.string(),
  path: z.string().describe('The compiled page with the evidence.'),
  made_from: z.array(z.string()),
  used_by: z.array(z.string()),
})

const MOST = 20

/** Lineage of a table from dbt and the schedulers of the context; empty if none names it. */
export async function lineageOf(
  ctx: Given,
  { project, manifest, table: { schema, name } }: { project: ContextProject; manifest: Manifest; table: CompiledTable },
): Promise<z.output<typeof tableLineage>[]> {
  const entries = [...manifest.values()].filter((entry) => entry.table === undefined)
  const pages = new Map(entries.flatMap((entry) => entry.files.map(({ path }) => [path, entry] as const)))
  if (pages.size === 0) return []
  const full = `${escaped(schema)}\\.${escaped(name)}`
  const { hits } = await project.files.grep(
    {
      pattern: `^A dbt [a-z, _-]+, in ${full}\\.$|^- (?:[^ ]+\\.)?(?:${full}|${escaped(name)}) ← `,
      literal: false,
      matchCase: false,
      context: 0,
      limit: MOST,
      accepts: (path) => pages.has(path),
    },
    ctx.signal,
  )
  const found = await Promise.all(
    hits.map(async ({ path, text }) => {
      const lineage = isDbt(pages.get(path)) ? dbtLineage(await project.files.read(path)) : writtenByLine(text)
      return lineage === undefined
        ? []
        : [{ source: pages.get(path)!.source, path, made_from: [...lineage.made_from], used_by: [...lineage.used_by] }]
    }),
  )
  return found.flat().filter((one) => one.made_from.length + one.used_by.length > 0)
}

const isDbt = (entry: ManifestEntry | undefined): boolean => /^dbt(?:\/|$)/.test(entry?.source ?? '')

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, String.raw`\$&`)
