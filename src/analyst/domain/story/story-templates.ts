/** What a new story can start from, besides another story. */
export const STORY_TEMPLATES = ['blank', 'weekly', 'question', 'comparison'] as const

export type StoryTemplate = (typeof STORY_TEMPLATES)[number]

/** A table of the context, with its columns. */
export interface TemplateTable {
  readonly database: string
  readonly schema: string
  readonly name: string
  readonly columns: readonly {
    readonly name: string
    readonly type: string
    /** All values, if they are few. */
    readonly values?: readonly string[] | undefined
  }[]
}

/** The table and columns that a template's statements use. */
interface Subject {
  readonly table: TemplateTable
  readonly day: string | undefined
  readonly amount: string | undefined
  readonly group: string | undefined
}

/** The best table for a report: with a date, an amount and a column of few values. The first of equals wins. */
export function chooseTable(tables: readonly TemplateTable[]): TemplateTable | undefined {
  const score = (table: TemplateTable): number => {
    const { day, amount, group } = subjectOf(table)
    return (day === undefined ? 0 : 4) + (amount === undefined ? 0 : 2) + (group === undefined ? 0 : 1)
  }
  return tables.reduce<TemplateTable | undefined>(
    (best, table) => (best === undefined || score(table) > score(best) ? table : best),
    undefined,
  )
}

function subjectOf(table: TemplateTable): Subject {
  const { columns } = table
  const isKey = (name: string): boolean => /(^|_)(id|key|no|number|code|zip|year)$/i.test(name)
  const isDay = ({ name, type }: { name: string; type: string }): boolean =>
    /^(date|timestamp|datetime)/i.test(type) ||
    (/char|text|^$/i.test(type) && /(^|_)(at|on|day|date|time)$/i.test(name))
  const isNumber = (type: string): boolean =>
    /^(int|big|small|tiny|dec|num|double|real|float|money|hugeint)/i.test(type)
  return {
    table,
    day: columns.find(isDay)?.name,
    amount: columns.find(({ name, type }) => isNumber(type) && !isKey(name))?.name,
    group: columns.find(({ values, type }) => values !== undefined && values.length > 1 && /char|text|enum/i.test(type))
      ?.name,
  }
}

/** How a database writes names and days. */
export interface TemplateSpelling {
  readonly dialect: string
  quote(name: string): string
}

export interface FilledTemplate {
  readonly text: string
  /** Names in the statements that a person has to replace. */
  readonly open: readonly string[]
}

/** The text of a new story. Without a table its statements have names to replace. */
export function fillTemplate(
  template: StoryTemplate,
  title: string,
  given: { readonly table: TemplateTable; readonly spelling: TemplateSpelling } | undefined,
): FilledTemplate {
  const heading = `# ${title}`
  if (template === 'blank') return { text: `${heading}\n\n`, open: [] }
  const names = namesFor(given)
  const text = { weekly, question, comparison }[template](names)
  return { text: `${heading}\n\n${text}\n`, open: OPEN_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(text)) }
}

const OPEN_NAMES = ['your_table', 'your_day', 'your_amount', 'your_group']

interface Names {
  readonly fence: string
  readonly table: string
  readonly day: string
  readonly dayOnly: string
  /** The expression that is counted, and its name in the result. */
  readonly measure: (when?: string) => string
  readonly amount: string
  readonly group: string
}

function namesFor(given: { table: TemplateTable; spelling: TemplateSpelling } | undefined): Names {
  const subject = given && subjectOf(given.table)
  const quote = (name: string): string => (given === undefined || PLAIN.test(name) ? name : given.spelling.quote(name))
  const day = quote(subject?.day ?? 'your_day')
  const isCount = subject !== undefined && subject.amount === undefined
  const amount = quote(subject?.amount ?? 'your_amount')
  return {
    fence: given === undefined ? '' : ` ${given.table.database}`,
    table: given === undefined ? 'your_table' : [given.table.schema, given.table.name].map(quote).join('.'),
    day,
    dayOnly: given?.spelling.dialect === 'sqlite' ? `date(${day})` : `CAST(${day} AS DATE)`,
    measure: (when) =>
      isCount
        ? when === undefined
          ? 'count(*)'
          : `sum(CASE WHEN ${when} THEN 1 ELSE 0 END)`
        : when === undefined
          ? `sum(${amount})`
          : `sum(CASE WHEN ${when} THEN ${amount} ELSE 0 END)`,
    amount: isCount ? 'count' : (subject?.amount ?? 'your_amount'),
    group: quote(subject === undefined ? 'your_group' : (subject.group ?? subject.day ?? 'your_group')),
  }
}

// Other names need quotes; words of SQL are quoted as well.
const PLAIN =
  /^(?!(?:order|group|user|table|select|from|where|date|time|end|by|to|in|is|as|on|values|case|when|limit)$)[a-z_][a-z0-9_]*$/

const statement = ({ fence }: Names, query: string, sql: string): string => `\`\`\`sql ${query}${fence}\n${sql}\n\`\`\``

const weekly = (names: Names): string => {
  const { table, day, dayOnly, measure } = names
  const within = `WHERE ${day} >= :period_start AND ${day} < :period_end`
  return `<param name="period" kind="period" default="last week" title="Period"/>

<grid cols="2">
<chart query="q_total" kind="kpi" y="total" title="Total"/>
<chart query="q_total" kind="kpi" y="entries" title="Entries"/>
</grid>

What happened, in two sentences.

<chart query="q_days" kind="bar" x="day" y="total" title="By day"/>

<table query="q_days" title="Every day" limit="31"/>

${statement(names, 'q_total', `SELECT ${measure()} AS total, count(*) AS entries\nFROM ${table}\n${within}`)}

${statement(names, 'q_days', `SELECT ${dayOnly} AS day, ${measure()} AS total, count(*) AS entries\nFROM ${table}\n${within}\nGROUP BY ${dayOnly}\nORDER BY 1`)}`
}

const question = (names: Names): string => `## Question

What do you want to know?

## Answer

The answer in one sentence.

<chart query="q_answer" kind="kpi" y="answer" title="Answer"/>

## How it was counted

What is in the number, and what is not.

${statement(names, 'q_answer', `SELECT count(*) AS answer\nFROM ${names.table}`)}`

const comparison = (names: Names): string => {
  const { table, day, measure, group } = names
  const [now, before] = [measure(`${day} >= :period_start`), measure(`${day} < :period_start`)]
  const within = `WHERE ${day} >= :period_before AND ${day} < :period_end`
  return `<param name="period" kind="period" default="last month" title="Period, compared with the one before"/>

<grid cols="2">
<chart query="q_both" kind="kpi" y="this_period" title="This period"/>
<chart query="q_both" kind="kpi" y="period_before" title="The period before"/>
</grid>

What changed, and why.

<chart query="q_parts" kind="bar" x="part" y="this_period,period_before" title="What changed"/>

<table query="q_parts" title="Part by part"/>

${statement(names, 'q_both', `SELECT ${now} AS this_period,\n  ${before} AS period_before\nFROM ${table}\n${within}`)}

${statement(names, 'q_parts', `SELECT ${group} AS part,\n  ${now} AS this_period,\n  ${before} AS period_before\nFROM ${table}\n${within}\nGROUP BY ${group}\nORDER BY 2 DESC\nLIMIT 20`)}`
}

/** The same story under another title. */
export const retitled = (text: string, title: string): string =>
  /^\s*#\s+\S.*$/m.test(text.slice(0, 5_000))
    ? text.replace(/^(\s*)#\s+\S.*$/m, (_, space: string) => `${space}# ${title}`)
    : text
