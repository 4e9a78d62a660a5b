import { textIfAny } from '#extension/i18n/text.ts'

const aspect = 'aspects.'

/** An option of a platform in a sentence ("a category"); one that has no words here is at least no name of a program. */
export function choiceText(option: string): string {
  if (option.startsWith(aspect)) return option.slice(aspect.length)
  return textIfAny(`bulk.choice.${option}`) ?? plain(option)
}

/** An option of a platform above its field ("Category"). */
export function choiceLabel(option: string): string {
  if (option.startsWith(aspect)) return option.slice(aspect.length)
  const words = plain(option)
  return textIfAny(`choice.label.${option}`) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

const plain = (option: string) => option.replace(/_id$/, '').replaceAll('_', ' ')
