export interface Template {
  /** Origin of the text, for messages. */
  readonly name: string
  readonly text: string
}

/** Renders templates, which can access only the scope: no files, no process, no prototypes. */
export interface Templates {
  /** Throws `invalid_input` with the template and the line. */
  render(template: Template, scope: Readonly<Record<string, unknown>>): Promise<string>
}
