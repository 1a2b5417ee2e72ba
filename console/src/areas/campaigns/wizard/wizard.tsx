import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { oneOf } from '../../../api/hooks.ts';
import { ApiProblem, call, invalidate, sayProblem } from '../../../api/index.ts';
import { useHere } from '../../../parts/account.tsx';
import { Steps } from '../../../parts/campaigns/steps.tsx';
import { editing, NotSent, useDraft, useEdited, useUnsaved } from '../../../parts/index.ts';
import { Later } from '../../../parts/loading/later.tsx';
import { pagesOf } from '../../../parts/loading/lazily.ts';
import { bodyOf, type Campaign, errorsOf, formOf, stepOf } from './form.ts';
import { checksOf } from './review/checks.ts';
import { StepBasics } from './steps/step-basics.tsx';

const { StepAudience } = pagesOf(() => import('./steps/step-audience.tsx'));
const { StepContent } = pagesOf(() => import('./steps/step-content.tsx'));
const { StepReview } = pagesOf(() => import('./steps/step-review.tsx'));
const { StepSchedule } = pagesOf(() => import('./steps/step-schedule.tsx'));

const names = ['Sender', 'Audience', 'Message', 'Schedule', 'Review'];
const review = names.length - 1;

/** A campaign in five steps. The review saves it, so that the server itself shows what people would get. */
export function Wizard({ campaign, copyOf }: { campaign?: Campaign; copyOf?: Campaign }) {
  const { timeZone } = useHere();
  const client = useQueryClient();
  const initial = formOf(campaign ?? copyOf, timeZone);
  const form = useForm({ initialValues: initial });
  const [, navigate] = useLocation();
  const isReviewed = campaign !== undefined && new URLSearchParams(location.search).get('step') === 'review';
  const [step, setStep] = useState(isReviewed ? review : 0);
  const [reached, setReached] = useState(campaign ? review - 1 : 0);
  const [saved, setSaved] = useState(campaign);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const top = useRef<HTMLDivElement>(null);
  const edits = editing(saved, '/v2/campaigns/{uuid}/', { uuid: saved?.uuid ?? '' }, (one) => formOf(one, timeZone));
  const edited = useEdited(form, edits, initial);
  const draft = useDraft(
    `campaign:${campaign?.uuid ?? (copyOf ? `copy-of:${copyOf.uuid}` : 'new')}`,
    form,
    initial,
    edited,
  );
  const leaveSaved = useUnsaved(form.isDirty(), true);

  const go = (to: number) => {
    setStep(to);
    setReached((far) => Math.max(far, Math.min(to, review - 1)));
    top.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  };
  const next = () => {
    const errors = checksOf(form.values, step);
    form.setErrors(errors);
    if (Object.keys(errors).length === 0) go(step + 1);
  };
  const save = async () => {
    const all = [0, 1, 2, 3].map((each) => checksOf(form.values, each));
    const wrong = all.findIndex((errors) => Object.keys(errors).length > 0);
    form.setErrors(Object.assign({}, ...all));
    if (wrong >= 0) return go(wrong);
    setPending(true);
    setFailure(null);
    try {
      const answer = await edited.save(form.values, (values, ifMatch) => {
        const body = bodyOf(values, timeZone);
        return saved
          ? call('put', '/v2/campaigns/{uuid}/', { params: { uuid: saved.uuid }, body, ifMatch })
          : call('post', '/v2/campaigns/', { body });
      });
      draft.forget();
      setSaved(answer);
      form.resetDirty();
      go(review);
      if (!saved) {
        // From now on it has an address of its own, which a reload or a link leads to.
        leaveSaved();
        client.setQueryData(oneOf('/v2/campaigns/{uuid}/', { uuid: answer.uuid }).queryKey, answer);
        navigate(`/campaigns/${answer.uuid}/edit?step=review`, { replace: true });
      }
      void invalidate(client, ['/v2/campaigns/']);
    } catch (error) {
      if (error instanceof NotSent) return;
      setFailure(error);
      if (!(error instanceof ApiProblem)) return console.error(error);
      const errors = errorsOf(form.values, error.fields);
      form.setErrors(errors);
      const steps = Object.keys(errors)
        .map(stepOf)
        .filter((each) => each >= 0);
      if (steps.length > 0) go(Math.min(...steps));
    } finally {
      setPending(false);
    }
  };
  const wrong = [...new Set(Object.keys(form.errors).map(stepOf))];
  return (
    <div ref={top} tabIndex={-1} style={{ outline: 'none' }}>
      <Steps
        label="Steps of the campaign"
        names={names}
        at={step}
        wrong={wrong}
        reached={reached}
        onGo={(to) => (to === review ? void save() : go(to))}
      />
      <Stack>
        {draft.note}
        {edited.note}
        {failure !== null && <Failure error={failure} />}
        {step === 0 && <StepBasics form={form} />}
        <Later>
          {step === 1 && <StepAudience form={form} />}
          {step === 2 && <StepContent form={form} />}
          {step === 3 && <StepSchedule form={form} />}
          {step === review && saved && <StepReview campaign={saved} onEdit={go} />}
        </Later>
        {step < review && (
          <Group justify="flex-end">
            {step > 0 && (
              <Button variant="default" onClick={() => go(step - 1)}>
                Back
              </Button>
            )}
            {step < review - 1 && (
              <Button variant={saved || reached === review - 1 ? 'default' : 'filled'} onClick={next}>
                Next
              </Button>
            )}
            {(saved || reached === review - 1) && (
              <Button loading={pending} onClick={() => void save()}>
                Save and review
              </Button>
            )}
          </Group>
        )}
      </Stack>
    </div>
  );
}

function Failure({ error }: { error: unknown }) {
  const homeless = error instanceof ApiProblem ? Object.entries(error.fields).filter(([path]) => stepOf(path) < 0) : [];
  const said =
    homeless.length > 0
      ? homeless.map(([, text]) => text).join(' ')
      : error instanceof ApiProblem && Object.keys(error.fields).length > 0
        ? 'Fix the marked fields and save again.'
        : sayProblem(error);
  return (
    <Alert color="red" role="alert" title="Not saved">
      {said}
    </Alert>
  );
}
