import { posix } from 'node:path'
import { type CodeAction, CodeActionKind, type Connection, MessageType, type Range } from 'vscode-languageserver/node'
import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { sha256 } from '../../kernel/domain/sha256.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { label } from '../../record/domain/decision/decision.ts'
import { governs } from '../../record/domain/decision/governs.ts'
import { rewriteDecision } from '../../record/domain/decision/rewrite.ts'
import type { EditorFinding } from './diagnostics.ts'
import { pathBelow, pathOfUri, realPathOf } from './file-uri.ts'
import type { EditorProject, EditorProjects } from './open-projects.ts'
import { messageText, showMessage } from './show-message.ts'

export const COMMANDS = ['ken.openDecision', 'ken.propose', 'ken.dismiss', 'ken.silence'] as const

const TITLE = 60
const text = z.string().max(4_096)
const decided = z.object({ uri: text, decision: text })
const INPUT = {
  'ken.openDecision': decided,
  'ken.dismiss': decided.extend({ line: text }),
  'ken.silence': decided,
  'ken.propose': decided.extend({
    /** Where the reason was found, e.g. a line of code. */
    reason: text,
    title: z.string().max(300).optional(),
    rationale: z.string().max(10_000).optional(),
  }),
}

/** Code actions for the findings in a range. */
export function actionsFor(uri: string, findings: readonly EditorFinding[], range: Range): CodeAction[] {
  const here = findings.filter(
    ({ diagnostic: { range: each } }) => each.start.line <= range.end.line && each.end.line >= range.start.line,
  )
  const actions = here.flatMap(({ diagnostic, decision, line, reason }) => {
    const id = label(decision.num)
    const action = (title: string, command: (typeof COMMANDS)[number], input: object): CodeAction => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      command: { title, command, arguments: [{ uri, decision: decision.stem, ...input }] },
    })
    const title = ellipsis(visibleLine(decision.title), TITLE)
    const at = `${fileOf(uri)}:${diagnostic.range.start.line + 1}${line === '' ? '' : `: ${line}`}`
    return [
      action(`Open ${id} ${title}`, 'ken.openDecision', {}),
      ...(decision.isActive
        ? [action(`Propose to supersede ${id}…`, 'ken.propose', { reason: ellipsis(`${at} (${reason})`, 2_000) })]
        : []),
      action(line === '' ? `Dismiss ${id} in this file` : `Dismiss ${id} here`, 'ken.dismiss', { line }),
      action(`Silence ${id} in ${folderName(uri)}`, 'ken.silence', {}),
    ]
  })
  // Two findings about one decision share most of their actions.
  return actions.filter(({ title }, i) => actions.findIndex((each) => each.title === title) === i)
}

const fileOf = (uri: string): string => visibleLine(decodeURIComponent(uri.split('/').at(-1) ?? ''))
const folderName = (uri: string): string => `${visibleLine(decodeURIComponent(uri.split('/').at(-2) ?? ''))}/`

interface Parts {
  readonly connection: Connection
  readonly projects: EditorProjects
  readonly canShowDocument: () => boolean
  recheck(): void
}

/** Runs a command that an editor sends. Its input comes from the editor, so every part is looked up again. */
export async function runCommand(name: string, given: unknown, parts: Parts): Promise<unknown> {
  const { connection, projects } = parts
  if (!isCommand(name)) throw new AppError('invalid_input', `No command named "${visibleLine(name).slice(0, 100)}".`)
  const parsed = INPUT[name].safeParse(given)
  if (!parsed.success) throw new AppError('invalid_input', `${name} needs a document and a decision.`)
  const input = parsed.data
  const place = await projects.placeOf(input.uri)
  const entry = place?.project.judge.record().decisions.find(({ stem }) => stem === input.decision)
  if (place === undefined || entry === undefined)
    throw new AppError('not_found', 'This document has no such decision.', { hint: 'Save it and try again.' })
  const { project, path } = place
  if (name === 'ken.openDecision') {
    const uri = project.uriOf(entry)
    if (parts.canShowDocument()) await connection.window.showDocument({ uri, takeFocus: true })
    else showMessage(connection, MessageType.Info, `${label(entry.num)}: ${pathOfUri(uri)}`)
    return { uri }
  }
  if (name === 'ken.propose') return propose(parts, project, { ...INPUT[name].parse(given), num: entry.num })
  if (place.isRecord) throw new AppError('invalid_input', 'Findings in the record cannot be dismissed.')
  if (name === 'ken.dismiss')
    project.dismissals.dismiss({ decision: entry.stem, file: path, line: INPUT[name].parse(given).line })
  else project.dismissals.silence({ decision: entry.stem, folder: folderOf(path) })
  parts.recheck()
  return {}
}

const isCommand = (name: string): name is (typeof COMMANDS)[number] => Object.hasOwn(INPUT, name)

const folderOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : '')

/** Records a proposal as the person's own; an editor that cannot prompt for a title shows the command instead. */
async function propose(
  { connection, recheck }: Parts,
  project: EditorProject,
  input: { num: number; reason: string; title?: string | undefined; rationale?: string | undefined },
): Promise<unknown> {
  const { num, title, rationale, reason } = input
  if (title === undefined || title.trim() === '') {
    showMessage(
      connection,
      MessageType.Info,
      `Run \`ken supersede ${num}\` in a terminal to replace ${label(num)}. Reason: ${visibleLine(reason)}`,
    )
    return { status: 'unanswered' }
  }
  const answer = await project.run('propose_decision', {
    title,
    rationale: [rationale?.trim(), `Reason: ${reason}`].filter(Boolean).join('\n\n'),
    operation: 'supersede',
    affected_decision_id: `D${num}`,
  })
  const said = visibleLine(String(answer['assessment']))
  showMessage(connection, answer['status'] === 'confirmed' ? MessageType.Info : MessageType.Error, said)
  await project.judge.refresh()
  recheck()
  return { status: answer['status'], decision_id: answer['decision_id'] }
}

/** Offers to follow moved files in the decisions that name them. */
export async function offerMoves(
  moves: readonly { readonly oldUri: string; readonly newUri: string }[],
  { connection, projects, recheck }: Parts,
): Promise<void> {
  for (const { oldUri, newUri } of moves.slice(0, MOST_MOVES)) {
    const place = await projects.placeOf(newUri)
    const before = pathOfUri(oldUri)
    const old = place && before !== undefined ? pathBelow(place.project.root, realPathOf(before) ?? before) : undefined
    if (place === undefined || place.isRecord || old === undefined) continue
    const { project, path } = place
    for (const { stem, num, files_affected: files } of project.judge.governing(old)) {
      // A folder or a glob that also covers the new path is still correct.
      const next = files.map((each) => movedEntry(each, old, path))
      if (next.every((each, i) => each === files[i]) || files.some((each) => governs(each, path))) continue
      const yes = { title: `Update ${label(num)}` }
      const question = messageText(`${label(num)} names ${old}, which moved to ${path}.`)
      if ((await connection.window.showInformationMessage(question, yes, { title: 'Keep' }))?.title !== yes.title)
        continue
      const decision = project.judge.record().texts.get(stem)
      if (decision === undefined) continue
      await project.run('edit', {
        decision: `D${num}`,
        text: rewriteDecision(decision, { files_affected: next }),
        expects: sha256(decision.content),
      })
    }
    await project.judge.refresh()
  }
  recheck()
}

const MOST_MOVES = 50

/** An entry of `files_affected` after a file or a folder moved. */
function movedEntry(entry: string, old: string, path: string): string {
  const clean = entry.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '')
  return clean === old || clean.startsWith(`${old}/`) ? `${path}${clean.slice(old.length)}` : entry
}
