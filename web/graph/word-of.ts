const WORDS: Readonly<Record<string, string>> = {
  api_design: 'API design',
  data_model: 'Data model',
  untyped: 'No type',
}

/** A type, status or confidence for display. */
export const wordOf = (value: string): string => WORDS[value] ?? value.charAt(0).toUpperCase() + value.slice(1)
