import { textIfAny } from '#extension/i18n/text.ts'

/** Returns a condition in words. Labels that are not a platform's code are returned unchanged. */
export function conditionText(label: string): string {
  return textIfAny(`condition.${label}`) ?? label
}
