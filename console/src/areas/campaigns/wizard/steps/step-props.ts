import type { UseFormReturnType } from '@mantine/form';
import type { CampaignForm } from '../form.ts';

/** What every step of the wizard takes. */
export interface StepProps {
  form: UseFormReturnType<CampaignForm>;
}
