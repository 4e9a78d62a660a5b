import { moneyText } from '../common/format.ts'
import { textIfAny } from './words.ts'

const aspect = 'aspects.'

/** Returns an option's name for use in a sentence ("a category"). */
export function choiceText(option: string): string {
  if (option.startsWith(aspect)) return option.slice(aspect.length)
  return textIfAny(`bulk.choice.${option}`) ?? plain(option)
}

/** Returns an option's name as a field label ("Category"). */
export function choiceLabel(option: string): string {
  if (option.startsWith(aspect)) return option.slice(aspect.length)
  const words = plain(option)
  return textIfAny(`choice.label.${option}`) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats Etsy's listing fee, which is the same amount of US dollars in every country. */
export const etsyFeeText = () => moneyText(20, 'USD')

const plain = (option: string) => option.replace(/_id$/, '').replaceAll('_', ' ')
