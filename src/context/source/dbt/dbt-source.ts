import { existsSync, realpathSync } from 'node:fs'
import { AppError } from '../../../kernel/domain/errors.ts'
import { openBoundedFolder } from '../../../kernel/system/bounded-folder.ts'
import { readDbtManifest, type DbtManifest } from '../../domain/sources/dbt-manifest.ts'
import { dbtNotes } from '../../domain/sources/dbt-notes.ts'
import { docBlocks, manifestOfYaml } from '../../domain/sources/dbt-project-yaml.ts'
import { semanticPages } from '../../domain/sources/dbt-semantic-pages.ts'
import {
  isEmptyLayer,
  semanticsOfManifest,
  semanticsOfYaml,
  type SemanticLayer,
} from '../../domain/sources/dbt-semantics.ts'
import { readModelYaml } from '../../domain/sources/model-yaml.ts'
import { collectPages } from '../../domain/sources/page.ts'
import type { TableNote } from '../../domain/sources/table-notes.ts'
import type { Source } from '../../ports/source.ts'
import { readFolderTexts, type FolderText, type FolderTexts } from '../folder-texts.ts'
import { openPageSource } from '../page-source.ts'

const LARGEST = 256 * 1024 * 1024
const MANIFEST = 'target/manifest.json'
const SEMANTIC_MANIFEST = 'target/semantic_manifest.json'

/**
 * dbt project, read from the manifests that dbt writes when it parses, compiles or runs. Metrics come from the first of
 * manifest.json, semantic_manifest.json and the project's YAML that has any; without a manifest.json, the YAML also
 * describes models and sources.
 */
export function openDbtSource({ folder, target }: { readonly folder: string; readonly target: string }): Source {
  return openPageSource(target, async () => {
    const found = collectPages()
    const manifest = readJson(folder, MANIFEST)
    const yaml = manifest === undefined ? projectYaml(folder, found.skip) : undefined
    const read = readDbtManifest(yaml === undefined ? manifest!.value : yaml.manifest)
    if (read === undefined)
      throw new AppError('damaged', `${MANIFEST} in ${folder} is not a dbt manifest.`, {
        hint: 'Run `dbt parse` again.',
      })
    const layer = semanticsOf(folder, { manifest: manifest?.value, read, yaml: yaml?.files, skip: found.skip })
    if (yaml !== undefined && read.pages.length === 0 && isEmptyLayer(layer))
      throw new AppError('unavailable', `${folder} has no ${MANIFEST}, and its YAML describes no models.`, {
        hint: 'Run `dbt parse` in the dbt project.',
      })
    if (yaml !== undefined)
      found.skip(MANIFEST, 'it is not there, so models have no SQL, schema and lineage; `dbt parse` writes it')
    if (read.skipped > 0) found.skip('manifest.json', `${read.skipped} entries cannot be read`)
    for (const { parts, ...page } of semanticPages(layer)) found.add(page, parts)
    const { pages, skipped } = found.done()
    return { pages: [...read.pages, ...pages], skipped }
  })
}

/** The project's documentation of the tables it creates and reads. */
export async function readDbtNotes(folder: string): Promise<readonly TableNote[]> {
  const manifest = readJson(folder, MANIFEST)
  return dbtNotes(manifest === undefined ? projectYaml(folder, () => {}).manifest : manifest.value)
}

type Skip = (title: string, reason: string) => void

function semanticsOf(
  folder: string,
  {
    manifest,
    read,
    yaml,
    skip,
  }: { manifest: unknown; read: DbtManifest; yaml: readonly unknown[] | undefined; skip: Skip },
): SemanticLayer {
  const parsed = semanticsOfManifest(manifest)
  if (!isEmptyLayer(parsed)) return parsed
  const semantic = semanticsOfManifest(readJson(folder, SEMANTIC_MANIFEST)?.value)
  if (!isEmptyLayer(semantic)) return semantic
  return semanticsOfYaml(yaml ?? parsedYaml(yamlOf(folder), SEMANTICS, skip), (model) => read.tables.get(model))
}

// Most of a project's YAML concerns column tests, not metrics.
const SEMANTICS = /^\s{0,40}(?:semantic_models?|metrics|saved_queries)\s{0,40}:/m
const RESOURCES = /^\s{0,40}(?:semantic_models?|metrics|saved_queries|models|seeds|snapshots|sources)\s{0,40}:/m

/** The project's YAML, and the parts of a manifest in it. */
function projectYaml(folder: string, skip: Skip) {
  if (!existsSync(folder)) return { files: [], manifest: manifestOfYaml([], new Map()) }
  const found = readFolderTexts(folder, (path) => /\.(?:ya?ml|md)$/i.test(path))
  const isDoc = ({ path }: FolderText): boolean => /\.md$/i.test(path)
  const files = parsedYaml({ ...found, texts: found.texts.filter((one) => !isDoc(one)) }, RESOURCES, skip)
  return { files, manifest: manifestOfYaml(files, docBlocks(found.texts.filter(isDoc).map(({ text }) => text))) }
}

function parsedYaml({ texts, skipped }: FolderTexts, wanted: RegExp, skip: Skip): readonly unknown[] {
  for (const { title, reason } of skipped) skip(title, reason)
  return texts.flatMap(({ path, text }) => {
    if (!wanted.test(text)) return []
    const yaml = readModelYaml(text)
    if ('reason' in yaml) skip(path, yaml.reason)
    return 'value' in yaml ? [yaml.value] : []
  })
}

/** A project with too much YAML for Ken still has the models of its manifest. */
function yamlOf(folder: string): FolderTexts {
  try {
    return readFolderTexts(folder, (path) => /\.ya?ml$/i.test(path))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { texts: [], skipped: [{ title: 'YAML', reason: error.message }] }
  }
}

/**
 * Undefined if the file does not exist; its value is undefined if it is not valid JSON. The user trusts only the
 * folder, so a link that leads out of it is not followed.
 */
function readJson(folder: string, path: string): { readonly value: unknown } | undefined {
  if (!existsSync(folder)) return undefined
  const bounded = openBoundedFolder(realpathSync(folder))
  if ((bounded.stat(path)?.size ?? 0) > LARGEST)
    throw new AppError('unavailable', `${path} in ${folder} is larger than 256 MB.`, {
      hint: 'Use a dbt project with fewer models.',
    })
  const bytes = bounded.read(path, LARGEST)
  if (bytes === undefined) return undefined
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { value: undefined }
  }
}
