import { createText } from './create-text.ts'
import { shippingMessages } from './en/shipping.ts'

/** Messages of what is to be shipped, apart from the others, so that the app opens without them. */
export const { text: shippingText } = createText(shippingMessages)
