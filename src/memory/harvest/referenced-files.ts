const CONTENTS = /\n?--- Content from referenced files ---[\s\S]*?(?:--- End of content ---|$)/g

/** Removes the files that Gemini CLI, or a fork of it, inserted into a prompt for an `@path`. */
export const withoutReferencedFiles = (text: string): string => text.replace(CONTENTS, '')
