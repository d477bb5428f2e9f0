export interface Template {
  /** For messages: where the text comes from. */
  readonly name: string
  readonly text: string
}

/** Fills templates. They see the scope and nothing else: no files, no process, no prototypes. */
export interface Templates {
  /** Throws `invalid_input` that names the template and the line. */
  render(template: Template, scope: Readonly<Record<string, unknown>>): Promise<string>
}
