import { z } from 'zod'

/* The parts of Account, Taxonomy and Metadata answers that listing needs. */

const Text = z.string().min(1)

const Policy = z.object({
  name: z.string().default(''),
  categoryTypes: z.array(z.object({ default: z.boolean().optional() })).nullish(),
})

export const PaymentPolicies = z.object({
  paymentPolicies: z.array(Policy.extend({ paymentPolicyId: Text })).default([]),
})
export const FulfillmentPolicies = z.object({
  fulfillmentPolicies: z
    .array(
      Policy.extend({
        fulfillmentPolicyId: Text,
        shippingOptions: z.array(z.object({ costType: z.string().optional() })).nullish(),
      }),
    )
    .default([]),
})
export const ReturnPolicies = z.object({
  returnPolicies: z.array(Policy.extend({ returnPolicyId: Text })).default([]),
})

export const CategoryTree = z.object({ categoryTreeId: Text })

export const CategorySuggestions = z.object({
  categorySuggestions: z
    .array(
      z.object({
        category: z.object({ categoryId: Text, categoryName: z.string() }),
        categoryTreeNodeAncestors: z
          .array(z.object({ categoryName: z.string(), categoryTreeNodeLevel: z.number().optional() }))
          .nullish(),
      }),
    )
    .default([]),
})

export const ItemAspects = z.object({
  aspects: z
    .array(
      z.object({
        localizedAspectName: Text,
        aspectConstraint: z
          .object({
            aspectRequired: z.boolean().optional(),
            aspectMode: z.string().optional(),
            aspectUsage: z.string().optional(),
            aspectDataType: z.string().nullish(),
            aspectFormat: z.string().nullish(),
            aspectMaxLength: z.number().int().positive().nullish(),
            itemToAspectCardinality: z.string().nullish(),
          })
          .nullish(),
        aspectValues: z.array(z.object({ localizedValue: z.string() })).nullish(),
      }),
    )
    .default([]),
})
export type ItemAspects = z.infer<typeof ItemAspects>

/** GET /sell/metadata/v1/marketplace/{marketplace_id}/get_item_condition_policies */
export const ConditionPolicies = z.object({
  itemConditionPolicies: z
    .array(
      z.object({
        categoryId: Text,
        itemConditions: z
          .array(
            z.object({
              conditionId: z.union([Text, z.int().transform(String)]),
              conditionDescription: z.string().nullish(),
              conditionDescriptors: z
                .array(
                  z.object({
                    conditionDescriptorId: z.union([Text, z.int().transform(String)]),
                    conditionDescriptorName: z.string().nullish(),
                    conditionDescriptorConstraint: z
                      .object({ mode: z.string().nullish(), usage: z.string().nullish() })
                      .nullish(),
                    conditionDescriptorValues: z
                      .array(
                        z.object({
                          conditionDescriptorValueId: z.union([Text, z.int().transform(String)]),
                          conditionDescriptorValueName: z.string().nullish(),
                        }),
                      )
                      .nullish(),
                  }),
                )
                .nullish(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
})
export type ConditionPolicies = z.infer<typeof ConditionPolicies>
