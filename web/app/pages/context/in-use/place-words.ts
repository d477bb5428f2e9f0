import type { Origin } from './use-in-use.ts'

/** `main, folder analytics, https://github.com/acme/context.git`. */
export const placeWords = ({ branch, folder, repository }: Pick<Origin, 'branch' | 'folder' | 'repository'>): string =>
  [branch, folder !== '' && `folder ${folder}`, repository].filter(Boolean).join(', ')
