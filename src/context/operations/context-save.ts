import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'
import {
  configChange,
  configDiagnostic,
  planConfig,
  untrustedEntry,
  untrustedIn,
  textField,
  textGiven,
} from './planned-config.ts'
import { projectFile, projectRoot, readProjectText, shownText, versionOf, writtenText } from './project-text.ts'

export const contextSave = defineOperation({
  name: 'context_save',
  title: 'Save ken.yaml or RULES.md',
  summary: 'Save ken.yaml or RULES.md, unless it has changed since.',
  details:
    'A mark of `ken context show` stays on its line and becomes the secret again. A ken.yaml that cannot be read, and a text that would add a secret, is refused. What an entry reaches is not trusted by saving it: `ken trust` shows it and asks.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['context', 'machine'],
  asGiven: true,
  hiddenFrom: FOR_PEOPLE,
  positional: ['file'],
  input: {
    file: projectFile.describe('ken.yaml or RULES.md.'),
    ...textField,
    expect: z
      .string()
      .max(64)
      .optional()
      .describe('Expected version; refused if the file has another one. Default: overwrite any version.'),
  },
  output: {
    root: z.string(),
    file: projectFile,
    version: z.string(),
    wrote: z.boolean().describe('False if nothing changed.'),
    changes: configChange.optional(),
    diagnostics: z.array(configDiagnostic).describe('Problems in the saved entries.'),
    untrusted: z.array(untrustedEntry),
  },
  examples: [{ title: 'The rules', input: { file: 'RULES.md', text: '# Rules\n\n- Revenue is without tax.\n' } }],
  async run(ctx, input) {
    const given = await textGiven(ctx, input)
    const root = await projectRoot(ctx)
    const raw = await readProjectText(ctx, root, input.file)
    if (input.expect !== undefined && versionOf(raw) !== input.expect) throw changedMeanwhile(input.file)
    const { fixed } = await shownText(ctx, raw)
    if (fixed !== undefined) throw new AppError('conflict', `${input.file} was not saved.`, { hint: fixed })
    const text = writtenText(given, raw)
    const planned = input.file === 'ken.yaml' ? await planConfig(ctx, text, raw) : undefined
    if (planned !== undefined && planned.config === undefined) throw unreadable(planned.diagnostics)
    await ctx.configFiles.changeText(root, input.file, (now) => {
      if (versionOf(now) !== versionOf(raw)) throw changedMeanwhile(input.file)
      return { result: undefined, ...(now !== text && { write: text }) }
    })
    const project = await ctx.contextProject(root)
    return {
      root,
      file: input.file,
      version: versionOf(text),
      wrote: raw !== text,
      ...(planned !== undefined && { changes: planned.changes }),
      diagnostics: planned?.diagnostics ?? [],
      untrusted: untrustedIn(ctx, project),
    }
  },
  render: (output) =>
    [
      output.wrote ? `Saved ${output.file}.` : `${output.file} said so already.`,
      ...output.diagnostics.map(({ line, message, hint }) => `Line ${line}: ${message} ${hint}`),
      ...(output.untrusted.length === 0
        ? []
        : [`${plural(output.untrusted.length, 'entry', 'entries')} must be trusted first: \`ken trust\`.`]),
    ].join('\n'),
})

const changedMeanwhile = (file: string): AppError =>
  new AppError('conflict', `${file} has changed since.`, {
    hint: 'Reload it and apply your change to the current text. No changes.',
  })

function unreadable([first]: readonly z.output<typeof configDiagnostic>[]): AppError {
  return new AppError('invalid_input', first === undefined ? 'ken.yaml cannot be read.' : first.message, {
    hint: [first?.hint, 'Nothing was written.'].filter(Boolean).join(' '),
    ...(first !== undefined && { details: { line: first.line } }),
  })
}
