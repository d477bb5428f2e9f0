const CONTENTS = /\n?--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g

/** A prompt without the files that Gemini CLI, or a fork of it, read in for an `@path` in it. */
export const withoutReferencedFiles = (text: string): string => text.replace(CONTENTS, '')
