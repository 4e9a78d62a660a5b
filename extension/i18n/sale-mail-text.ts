import { createText } from './create-text.ts'
import { saleMailMessages } from './en/sale-mail/sale-mail.ts'

/** Messages of the sale mail screen, apart from those that every screen needs. */
export const { text: saleMailText } = createText(saleMailMessages)
