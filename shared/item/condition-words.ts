/** Poshmark's and Depop's condition codes in English; the other platforms use words. */
const conditionWords = {
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

/** Returns a record's condition in words; anything but a known code stays as it is. */
export function conditionInWords(label: string): string {
  return Object.hasOwn(conditionWords, label) ? conditionWords[label as keyof typeof conditionWords] : label
}
