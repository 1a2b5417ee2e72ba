import { Autocomplete, Group, SegmentedControl, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNames } from './use-names.ts';

interface AgentOrSkillProps {
  who: 'agent' | 'skill';
  agent: string | null;
  skill: string;
  onChange(change: { who: 'agent' | 'skill'; agent: string | null; skill: string }): void;
  agentError?: ReactNode;
  skillError?: ReactNode;
}

/** One agent by name, or anybody with a skill. */
export function AgentOrSkill({ who, agent, skill, onChange, agentError, skillError }: AgentOrSkillProps) {
  const names = useNames();
  const now = { who, agent, skill };
  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        aria-label="One agent, or anybody with a skill"
        value={who}
        onChange={(value) => onChange({ ...now, who: value as 'agent' | 'skill' })}
        data={[
          { value: 'agent', label: 'One agent' },
          { value: 'skill', label: 'Anybody with a skill' },
        ]}
      />
      {who === 'agent' ? (
        <Select
          label="Agent"
          placeholder={names.agents.length > 0 ? 'Choose an agent' : 'There is no agent yet'}
          data={names.agents}
          value={agent}
          onChange={(value) => onChange({ ...now, agent: value })}
          error={agentError}
          searchable
          required
          style={{ flex: '1 1 12rem' }}
        />
      ) : (
        <Autocomplete
          label="Skill"
          placeholder="sales"
          data={names.skills}
          value={skill}
          onChange={(value) => onChange({ ...now, skill: value })}
          error={skillError}
          required
          style={{ flex: '1 1 12rem' }}
        />
      )}
    </Group>
  );
}
