/** What Poshmark's and Depop's codes of conditions mean, in English; the other platforms say it in words. */
export const conditionWords = {
  nwt: 'New with tags',
  ret: 'New without tags',
  not_nwt: 'Not new',
  uln: 'Like new',
  ug: 'Good',
  uf: 'Fair',
  brand_new: 'Brand new',
  used_like_new: 'Like new',
  used_excellent: 'Used, excellent',
  used_good: 'Used, good',
  used_fair: 'Used, fair',
} as const

/** A record's condition as its reader says it: a code in words, anything else as it is. */
export function conditionInWords(label: string): string {
  return Object.hasOwn(conditionWords, label) ? conditionWords[label as keyof typeof conditionWords] : label
}
