/** Purpose of a tool, independent of its name in a client. */
export type ToolKind = 'command' | 'read' | 'change'

// Names as clients record them, compared without case, separators and the prefix of a built-in extension.
const COMMANDS =
  'bash shell runshellcommand execcommand localshell localshellcall containerexec terminal runterminalcmd runterminalcommand runinterminal executecommand runcommand runcommands run powershell userShell'
const READS = 'read readfile readfiles readmanyfiles readtextfile view viewfile openfile cat notebookread'
const CHANGES =
  'edit write multiedit notebookedit replace writefile writetofile create createfile edits editfile editfiles applypatch patch strreplace strreplaceeditor strreplacebasededittool replaceinfile searchreplace insert insertedit inserteditintofile newfile replacestringinfile multireplacestringinfile deletefile delete texteditor filechange'

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  (
    [
      ['command', COMMANDS],
      ['read', READS],
      ['change', CHANGES],
    ] as const
  ).flatMap(([kind, names]) => names.split(' ').map((name) => [name.toLowerCase(), kind] as const)),
)

/** An editing tool of several commands: `view src/x.ts` only reads. */
const VIEW = /^view\s+(?=\S)/

export function toolKind(name: string, detail: string | undefined): ToolKind | undefined {
  // A tool of an MCP server may do anything, regardless of its name.
  if (name.startsWith('mcp__')) return undefined
  const plain = name
    .replace(/^developer__/, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
  const kind = KINDS.get(plain)
  if (kind === 'command' && detail?.startsWith('apply_patch ') === true) return 'change'
  return kind === 'change' && VIEW.test(detail ?? '') ? 'read' : kind
}

/** The paths in the detail of a call that reads or changes files. */
export function pathsIn(detail: string): string[] {
  const rest = detail.replace(/^(?:view|create|str_replace|insert|undo_edit|write|edit|delete|apply_patch) (?=\S)/, '')
  return rest.split(', ').filter((path) => path !== '' && !path.startsWith('…') && !path.endsWith('…'))
}
