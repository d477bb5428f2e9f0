import type { DriftRepository } from './repository.ts'
export const STRANGE: readonly DriftRepository[] = []
