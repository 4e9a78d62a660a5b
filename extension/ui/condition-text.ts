import { textIfAny } from '#extension/i18n/text.ts'

/** A condition as sellers say it: some platforms have a code for each; anything else is a word already. */
export function conditionText(label: string): string {
  return textIfAny(`condition.${label}`) ?? label
}
