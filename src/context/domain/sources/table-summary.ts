import { head } from '../../../kernel/domain/text.ts'
import { delimit, IS_DATA } from '../../../kernel/domain/text/delimit.ts'

// About 6,000 tokens; a table of a thousand columns has more.
const LONGEST_FACTS = 24_000
const LONGEST_SUMMARY = 4_000

/** Prompt for a description of a table based on documents about it. */
export function summaryPrompt(
  table: string,
  facts: readonly string[],
): { readonly system: string; readonly prompt: string } {
  return {
    system: `You describe database tables for people and agents who are about to query them. ${IS_DATA}`,
    prompt: `${delimit('facts', head([`Table ${table}`, ...facts].join('\n\n'), LONGEST_FACTS))}\n\nSay in at most 150 words of plain Markdown, without a heading: what the table holds, what one row stands for, what it is good for, and what to beware of (empty, ambiguous or misleading columns). Use only what is written above; where it does not say, say nothing.`,
  }
}

/** Document around a description. Its first line names the table, because searches show it without the frontmatter. */
export function summaryText(table: string, model: string, answer: string): string {
  return `# About ${table}\n\nWritten by the model ${model} from the documents beside this one; check what you rely on.\n\n${head(answer.trim(), LONGEST_SUMMARY)}\n`
}
