import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Connection, Diagnostic } from 'vscode-languageserver/node'
import type { DriftFinding } from '../../record/find-drift.ts'
import { entryOf } from '../../record/read-decision.ts'
import { type EditorFinding, toEditorFindings } from './diagnostics.ts'
import type { DocumentEvents } from './open-documents.ts'
import type { EditorProject, EditorProjects, Place } from './open-projects.ts'
import { recordDiagnostics } from './record-diagnostics.ts'

/** Milliseconds without a key before a check, so that half-typed words are not checked. */
export const SETTLED = 250
// Text that changes without a pause, e.g. because an agent is writing it, is checked at least this often.
const LONGEST_WAIT = 2_000
// Drift compares whole histories, so it waits until the first diagnostics are out, and is not repeated at every save.
const DRIFT_AFTER = 1_000
const DRIFT_AGAIN = 30_000
// The record may change without an event from the editor.
const RECORD_AGAIN = 5_000

export interface DocumentChecks extends DocumentEvents {
  /** The published findings of a document. */
  findingsOf(uri: string): readonly EditorFinding[]
  /** Checks every open document again, after another change. */
  recheck(): void
  stop(): void
}

interface Checked {
  timer?: NodeJS.Timeout | undefined
  /** When the oldest unchecked change was made. */
  since?: number | undefined
  findings: readonly EditorFinding[]
  published: string
  place?: Place | undefined
}

interface DriftState {
  at: number
  nums: string
  findings: readonly DriftFinding[]
  running: boolean
}

interface Parts {
  readonly connection: Connection
  readonly projects: EditorProjects
  documents(): ReadonlyMap<string, TextDocument>
  /** Milliseconds without a keystroke before a check. */
  delay(): number
  trace(thrown: unknown): void
}

/** Checks open documents after a pause in typing, and publishes diagnostics only if they changed. */
export function checkDocuments({ connection, projects, documents, delay, trace }: Parts): DocumentChecks {
  const checked = new Map<string, Checked>()
  const drifts = new Map<EditorProject, DriftState>()
  /** When each project was last read. */
  const refreshed = new Map<EditorProject, number>()
  let isStopped = false

  const stateOf = (uri: string): Checked => {
    const state = checked.get(uri) ?? { findings: [], published: '[]' }
    checked.set(uri, state)
    return state
  }

  function later(uri: string, wait: number, work: () => Promise<void>): void {
    const state = stateOf(uri)
    clearTimeout(state.timer)
    state.timer = setTimeout(() => void work().catch(trace), wait)
  }

  // One file at a time: an editor that opens or rechecks hundreds at once would start as many git processes.
  let turn: Promise<void> = Promise.resolve()
  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).catch(trace)
    return turn
  }

  function refresh(project: EditorProject): Promise<boolean> {
    refreshed.set(project, Date.now())
    return project.judge.refresh()
  }

  /** `typing`: the line that is being typed, which gets no new diagnostics until a pause. */
  async function check(document: TextDocument, typing?: number): Promise<void> {
    const { uri, version } = document
    const state = stateOf(uri)
    state.since = undefined
    const place = await projects.placeOf(uri)
    state.place = place
    if (place !== undefined && !refreshed.has(place.project)) await refresh(place.project)
    const isCurrent = () => !isStopped && documents().get(uri)?.version === version
    if (place === undefined) publish(uri, [], [])
    else if (place.isRecord) {
      const diagnostics = await recordDiagnostics(place, document.getText())
      if (isCurrent()) publish(uri, [], diagnostics)
    } else {
      const said = new Set(state.findings.map(({ diagnostic }) => diagnostic.message))
      const found = (await findingsIn(place, document.getText())).filter(
        ({ diagnostic: { range, message } }) => range.start.line !== typing || said.has(message),
      )
      if (isCurrent())
        publish(
          uri,
          found,
          found.map(({ diagnostic }) => diagnostic),
        )
    }
  }

  async function findingsIn({ project, path }: Place, text: string): Promise<EditorFinding[]> {
    const { judge, dismissals } = project
    const findings = await judge.judge(path, text)
    const { decisions } = judge.record()
    const governing = new Set(judge.governing(path).map(({ num }) => num))
    const drift = (drifts.get(project)?.findings ?? []).filter(
      (each) => governing.has(each.decision.num) || each.path === path,
    )
    if (findings.length === 0 && drift.length === 0) return []
    const found = toEditorFindings(
      { findings, drift },
      {
        lines: text.split(/\r?\n/),
        path,
        linkOf(num) {
          const entry = entryOf(decisions, num)
          return entry && { stem: entry.stem, uri: project.uriOf(entry) }
        },
      },
    )
    return found.filter(({ decision, line }) => !dismissals.isDismissed({ decision: decision.stem, file: path, line }))
  }

  function publish(uri: string, findings: readonly EditorFinding[], diagnostics: readonly Diagnostic[]): void {
    const state = stateOf(uri)
    state.findings = findings
    const key = JSON.stringify(diagnostics)
    if (key === state.published) return
    state.published = key
    void connection.sendDiagnostics({ uri, diagnostics: [...diagnostics] })
  }

  /** The slower parts: words that need a search, and drift. */
  async function checkFully(document: TextDocument): Promise<void> {
    await check(document)
    const place = checked.get(document.uri)?.place
    if (place === undefined || place.isRecord) return
    if (await place.project.judge.lookUp(place.path)) await checkNow(document.uri)
    setTimeout(() => void checkDrift(place.project).catch(trace), DRIFT_AFTER).unref()
  }

  async function checkNow(uri: string, typing?: number): Promise<void> {
    const document = documents().get(uri)
    if (document !== undefined) await check(document, typing)
  }

  async function checkDrift(project: EditorProject): Promise<void> {
    const places = [...checked].filter(([uri]) => documents().has(uri)).map(([, { place }]) => place)
    const open = places.filter((place) => place?.project === project && !place.isRecord)
    const nums = [
      ...new Set(open.flatMap((place) => project.judge.governing(place!.path).map(({ num }) => num))),
    ].sort()
    const state = drifts.get(project) ?? { at: 0, nums: '', findings: [], running: false }
    drifts.set(project, state)
    const isFresh = state.nums === nums.join() && Date.now() - state.at < DRIFT_AGAIN
    if (isStopped || nums.length === 0 || isFresh || state.running) return
    Object.assign(state, { at: Date.now(), nums: nums.join(), running: true })
    try {
      state.findings = await project.drift(nums)
    } finally {
      state.running = false
    }
    recheck()
  }

  function recheck(): void {
    for (const uri of documents().keys()) later(uri, 0, () => inTurn(() => checkNow(uri)))
  }

  /** A record that was changed elsewhere, by another editor or an agent, is read again at the next pause. */
  async function settle(uri: string, typing: number | undefined): Promise<void> {
    await checkNow(uri, typing)
    if (typing !== undefined) return
    const project = checked.get(uri)?.place?.project
    const last = project && refreshed.get(project)
    if (project === undefined || last === undefined || Date.now() - last < RECORD_AGAIN) return
    refreshed.set(project, Date.now())
    if (await project.judge.refreshRecord()) recheck()
  }

  return {
    opened: ({ uri }) =>
      later(uri, 0, () =>
        inTurn(async () => {
          const document = documents().get(uri)
          if (document !== undefined && !isStopped) await checkFully(document)
        }),
      ),
    changed({ uri }, line) {
      const state = stateOf(uri)
      state.since ??= Date.now()
      const wait = Math.max(0, state.since + LONGEST_WAIT - Date.now())
      // The rest of the file is checked during typing; the typed line waits for a pause.
      const settled = () => later(uri, delay(), () => settle(uri, undefined))
      if (wait < delay()) later(uri, wait, () => settle(uri, line).then(settled))
      else settled()
    },
    saved(document) {
      later(document.uri, 0, async () => {
        projects.forget()
        const place = await projects.placeOf(document.uri)
        if (place !== undefined && (await refresh(place.project))) recheck()
        await checkFully(documents().get(document.uri) ?? document)
      })
    },
    closed({ uri }) {
      const state = checked.get(uri)
      clearTimeout(state?.timer)
      checked.delete(uri)
      if (state?.place !== undefined) state.place.project.judge.close(state.place.path)
      if (state !== undefined && state.published !== '[]') void connection.sendDiagnostics({ uri, diagnostics: [] })
    },
    findingsOf: (uri) => checked.get(uri)?.findings ?? [],
    recheck,
    stop() {
      isStopped = true
      for (const { timer } of checked.values()) clearTimeout(timer)
    },
  }
}
