import { plain } from './words.ts'

/** Condition grades that every platform can represent, best first. */
export const grades = ['new_tags', 'new', 'like_new', 'excellent', 'good', 'fair', 'poor'] as const
export type Grade = (typeof grades)[number]

/** Labels of platforms and sellers by grade. */
const known: Record<Grade, readonly string[]> = {
  new_tags: ['nwt', 'new with tags', 'new with tags nwt', 'brand new with tags', 'new with box'],
  new: ['new', 'brand new', 'new without tags', 'nwot', 'ret', 'unworn', 'unused', 'new without box', 'new other'],
  like_new: ['uln', 'like new', 'used like new', 'nearly new', 'pre owned like new', 'open box'],
  excellent: [
    'used excellent',
    'excellent',
    'pre owned excellent',
    'very good',
    'used very good',
    'excellent condition',
  ],
  good: ['ug', 'good', 'used good', 'pre owned good', 'gently used', 'good condition'],
  fair: ['uf', 'fair', 'used fair', 'pre owned fair', 'acceptable', 'used acceptable', 'fair condition'],
  poor: ['poor', 'for parts or not working', 'for parts', 'not working'],
}

/** Patterns in longer labels. The order matters: "like new" must not match "new". */
const hints: readonly [RegExp, Grade][] = [
  [/\bnot (nwt|new)\b|\bno longer new\b/, 'good'],
  [/\bnever (used|worn)\b/, 'new'],
  [/\b(parts|broken|not working|poor|damaged)\b/, 'poor'],
  [/\b(like|nearly|almost) new\b/, 'like_new'],
  [/\bnew with tags?\b|\bnwt\b/, 'new_tags'],
  [/\bnew\b|\bunworn\b|\bunused\b/, 'new'],
  [/\bexcellent\b|\bvery good\b|\bmint\b/, 'excellent'],
  [/\bfair\b|\bacceptable\b|\bworn\b/, 'fair'],
  [/\bgood\b|\bgently\b/, 'good'],
  // These labels say only "used", so take the middle grade for review.
  [/\b(used|pre owned|preowned|preloved|second hand|vintage|antique)\b/, 'good'],
]

/**
 * Returns the grade of a condition label, or null if the label has none. `sure` is false for the nearest grade, which
 * the seller should review.
 */
export function gradeOf(label: string): { grade: Grade; sure: boolean } | null {
  const words = plain(label)
  const exact = grades.find((grade) => known[grade].includes(words))
  if (exact) return { grade: exact, sure: true }
  const near = hints.find(([pattern]) => pattern.test(words))
  return near ? { grade: near[1], sure: false } : null
}
