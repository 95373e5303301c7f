// Field numbers of the protobuf messages of kubectl and Go clients: number, name, type. Types: s text, b
// boolean, i integer, B bytes, q quantity, t time, T time with microseconds, o integer or text. ms, mB and mq
// are maps of text, bytes and quantities. Any other type is a message; * means repeated.

const TEXT = `
ObjectMeta 1 name s 2 generateName s 3 namespace s 4 selfLink s 5 uid s 6 resourceVersion s 7 generation i 8 creationTimestamp t 9 deletionTimestamp t 10 deletionGracePeriodSeconds i 11 labels ms 12 annotations ms 13 ownerReferences *OwnerReference 14 finalizers *s 17 managedFields *ManagedFieldsEntry
OwnerReference 1 kind s 3 name s 4 uid s 5 apiVersion s 6 controller b 7 blockOwnerDeletion b
ManagedFieldsEntry 1 manager s 2 operation s 3 apiVersion s 4 time t 6 fieldsType s 7 fieldsV1 json 8 subresource s
LabelSelector 1 matchLabels ms 2 matchExpressions *LabelSelectorRequirement
LabelSelectorRequirement 1 key s 2 operator s 3 values *s
DeleteOptions 1 gracePeriodSeconds i 2 preconditions Preconditions 3 orphanDependents b 4 propagationPolicy s 5 dryRun *s
Preconditions 1 uid s 2 resourceVersion s
ConfigMap 1 metadata ObjectMeta 2 data ms 3 binaryData mB 4 immutable b
Secret 1 metadata ObjectMeta 2 data mB 3 type s 4 stringData ms 5 immutable b
Namespace 1 metadata ObjectMeta 2 spec NamespaceSpec 3 status NamespaceStatus
NamespaceSpec 1 finalizers *s
NamespaceStatus 1 phase s
ServiceAccount 1 metadata ObjectMeta 2 secrets *ObjectReference 3 imagePullSecrets *LocalObjectReference 4 automountServiceAccountToken b
LocalObjectReference 1 name s
ObjectReference 1 kind s 2 namespace s 3 name s 4 uid s 5 apiVersion s 6 resourceVersion s 7 fieldPath s
Service 1 metadata ObjectMeta 2 spec ServiceSpec 3 status ServiceStatus
ServiceSpec 1 ports *ServicePort 2 selector ms 3 clusterIP s 4 type s 5 externalIPs *s 7 sessionAffinity s 8 loadBalancerIP s 9 loadBalancerSourceRanges *s 10 externalName s 11 externalTrafficPolicy s 12 healthCheckNodePort i 13 publishNotReadyAddresses b 14 sessionAffinityConfig SessionAffinityConfig 17 ipFamilyPolicy s 18 clusterIPs *s 19 ipFamilies *s 20 allocateLoadBalancerNodePorts b 21 loadBalancerClass s 22 internalTrafficPolicy s 23 trafficDistribution s
SessionAffinityConfig 1 clientIP ClientIPConfig
ClientIPConfig 1 timeoutSeconds i
ServicePort 1 name s 2 protocol s 3 port i 4 targetPort o 5 nodePort i 6 appProtocol s
ServiceStatus 1 loadBalancer LoadBalancerStatus
LoadBalancerStatus 1 ingress *LoadBalancerIngress
LoadBalancerIngress 1 ip s 2 hostname s
Pod 1 metadata ObjectMeta 2 spec PodSpec 3 status Empty
PodTemplateSpec 1 metadata ObjectMeta 2 spec PodSpec
PodSpec 1 volumes *Volume 2 containers *Container 3 restartPolicy s 4 terminationGracePeriodSeconds i 5 activeDeadlineSeconds i 6 dnsPolicy s 7 nodeSelector ms 8 serviceAccountName s 9 serviceAccount s 10 nodeName s 11 hostNetwork b 12 hostPID b 13 hostIPC b 14 securityContext PodSecurityContext 15 imagePullSecrets *LocalObjectReference 16 hostname s 17 subdomain s 19 schedulerName s 20 initContainers *Container 21 automountServiceAccountToken b 22 tolerations *Toleration 24 priorityClassName s 25 priority i 27 shareProcessNamespace b 29 runtimeClassName s 30 enableServiceLinks b 31 preemptionPolicy s
PodSecurityContext 2 runAsUser i 3 runAsNonRoot b 5 fsGroup i 6 runAsGroup i
Toleration 1 key s 2 operator s 3 value s 4 effect s 5 tolerationSeconds i
Container 1 name s 2 image s 3 command *s 4 args *s 5 workingDir s 6 ports *ContainerPort 7 env *EnvVar 8 resources ResourceRequirements 9 volumeMounts *VolumeMount 10 livenessProbe Probe 11 readinessProbe Probe 13 terminationMessagePath s 14 imagePullPolicy s 16 stdin b 17 stdinOnce b 18 tty b 19 envFrom *EnvFromSource 20 terminationMessagePolicy s 22 startupProbe Probe
ContainerPort 1 name s 2 hostPort i 3 containerPort i 4 protocol s 5 hostIP s
EnvVar 1 name s 2 value s 3 valueFrom EnvVarSource
EnvVarSource 1 fieldRef ObjectFieldSelector 3 configMapKeyRef KeySelector 4 secretKeyRef KeySelector
ObjectFieldSelector 1 apiVersion s 2 fieldPath s
KeySelector 1 - LocalObjectReference 2 key s 3 optional b
EnvFromSource 1 prefix s 2 configMapRef NamedRef 3 secretRef NamedRef
NamedRef 1 - LocalObjectReference 2 optional b
ResourceRequirements 1 limits mq 2 requests mq
VolumeMount 1 name s 2 readOnly b 3 mountPath s 4 subPath s 5 mountPropagation s 6 subPathExpr s 7 recursiveReadOnly s
Probe 1 - ProbeHandler 2 initialDelaySeconds i 3 timeoutSeconds i 4 periodSeconds i 5 successThreshold i 6 failureThreshold i
ProbeHandler 1 exec ExecAction 2 httpGet HTTPGetAction 3 tcpSocket TCPSocketAction
ExecAction 1 command *s
HTTPGetAction 1 path s 2 port o 3 host s 4 scheme s
TCPSocketAction 1 port o 2 host s
Volume 1 name s 2 - VolumeSource
VolumeSource 1 hostPath HostPath 2 emptyDir EmptyDir 6 secret SecretVolume 10 persistentVolumeClaim ClaimVolume 19 configMap ConfigMapVolume
HostPath 1 path s 2 type s
EmptyDir 1 medium s
SecretVolume 1 secretName s 3 defaultMode i 4 optional b
ClaimVolume 1 claimName s 2 readOnly b
ConfigMapVolume 1 - LocalObjectReference 3 defaultMode i 4 optional b
Deployment 1 metadata ObjectMeta 2 spec DeploymentSpec 3 status Empty
DeploymentSpec 1 replicas i 2 selector LabelSelector 3 template PodTemplateSpec 4 strategy DeploymentStrategy 5 minReadySeconds i 6 revisionHistoryLimit i 7 paused b 9 progressDeadlineSeconds i
DeploymentStrategy 1 type s 2 rollingUpdate RollingUpdate
RollingUpdate 1 maxUnavailable o 2 maxSurge o
Job 1 metadata ObjectMeta 2 spec JobSpec 3 status Empty
JobSpec 1 parallelism i 2 completions i 3 activeDeadlineSeconds i 4 selector LabelSelector 5 manualSelector b 6 template PodTemplateSpec 7 backoffLimit i 8 ttlSecondsAfterFinished i 9 completionMode s 10 suspend b 14 podReplacementPolicy s
JobTemplateSpec 1 metadata ObjectMeta 2 spec JobSpec
CronJob 1 metadata ObjectMeta 2 spec CronJobSpec 3 status Empty
CronJobSpec 1 schedule s 2 startingDeadlineSeconds i 3 concurrencyPolicy s 4 suspend b 5 jobTemplate JobTemplateSpec 6 successfulJobsHistoryLimit i 7 failedJobsHistoryLimit i 8 timeZone s
Lease 1 metadata ObjectMeta 2 spec LeaseSpec
LeaseSpec 1 holderIdentity s 2 leaseDurationSeconds i 3 acquireTime T 4 renewTime T 5 leaseTransitions i 6 strategy s 7 preferredHolder s
Event 1 metadata ObjectMeta 2 involvedObject ObjectReference 3 reason s 4 message s 5 source EventSource 6 firstTimestamp t 7 lastTimestamp t 8 count i 9 type s 10 eventTime T 11 series EventSeries 12 action s 13 related ObjectReference 14 reportingComponent s 15 reportingInstance s
EventSource 1 component s 2 host s
EventSeries 1 count i 2 lastObservedTime T
Role 1 metadata ObjectMeta 2 rules *PolicyRule
ClusterRole 1 metadata ObjectMeta 2 rules *PolicyRule 3 aggregationRule AggregationRule
AggregationRule 1 clusterRoleSelectors *LabelSelector
PolicyRule 1 verbs *s 2 apiGroups *s 3 resources *s 4 resourceNames *s 5 nonResourceURLs *s
RoleBinding 1 metadata ObjectMeta 2 subjects *Subject 3 roleRef RoleRef
ClusterRoleBinding 1 metadata ObjectMeta 2 subjects *Subject 3 roleRef RoleRef
Subject 1 kind s 2 apiGroup s 3 name s 4 namespace s
RoleRef 1 apiGroup s 2 kind s 3 name s
SelfSubjectAccessReview 1 metadata ObjectMeta 2 spec SelfSubjectAccessReviewSpec 3 status Empty
SelfSubjectAccessReviewSpec 1 resourceAttributes ResourceAttributes 2 nonResourceAttributes NonResourceAttributes
ResourceAttributes 1 namespace s 2 verb s 3 group s 4 version s 5 resource s 6 subresource s 7 name s
NonResourceAttributes 1 path s 2 verb s
SelfSubjectRulesReview 1 metadata ObjectMeta 2 spec SelfSubjectRulesReviewSpec 3 status Empty
SelfSubjectRulesReviewSpec 1 namespace s
SelfSubjectReview 1 metadata ObjectMeta 2 status Empty
PodDisruptionBudget 1 metadata ObjectMeta 2 spec PodDisruptionBudgetSpec 3 status Empty
PodDisruptionBudgetSpec 1 minAvailable o 2 selector LabelSelector 3 maxUnavailable o
ResourceQuota 1 metadata ObjectMeta 2 spec ResourceQuotaSpec 3 status Empty
ResourceQuotaSpec 1 hard mq 2 scopes *s
PriorityClass 1 metadata ObjectMeta 2 value i 3 globalDefault b 4 description s 5 preemptionPolicy s
Ingress 1 metadata ObjectMeta 2 spec IngressSpec 3 status Empty
IngressSpec 1 defaultBackend IngressBackend 2 tls *IngressTLS 3 rules *IngressRule 4 ingressClassName s
IngressTLS 1 hosts *s 2 secretName s
IngressRule 1 host s 2 - IngressRuleValue
IngressRuleValue 1 http HTTPIngressRuleValue
HTTPIngressRuleValue 1 paths *HTTPIngressPath
HTTPIngressPath 1 path s 2 backend IngressBackend 3 pathType s
IngressBackend 3 resource TypedLocalObjectReference 4 service IngressServiceBackend
TypedLocalObjectReference 1 apiGroup s 2 kind s 3 name s
IngressServiceBackend 1 name s 2 port ServiceBackendPort
ServiceBackendPort 1 name s 2 number i
HorizontalPodAutoscaler 1 metadata ObjectMeta 2 spec HorizontalPodAutoscalerSpec 3 status Empty
HorizontalPodAutoscalerSpec 1 scaleTargetRef CrossVersionObjectReference 2 minReplicas i 3 maxReplicas i 4 metrics *MetricSpec
CrossVersionObjectReference 1 kind s 2 name s 3 apiVersion s
MetricSpec 1 type s 4 resource ResourceMetricSource
ResourceMetricSource 1 name s 2 target MetricTarget
MetricTarget 1 type s 2 value q 3 averageValue q 4 averageUtilization i
Eviction 1 metadata ObjectMeta 2 deleteOptions DeleteOptions
`;

export interface ProtoField {
  name: string;
  type: string;
  many: boolean;
}

/** Messages by name. "Empty" is a part that clients send empty and the server ignores. */
export const MESSAGES: ReadonlyMap<string, ReadonlyMap<number, ProtoField>> = new Map(
  TEXT.trim()
    .split('\n')
    .map(line => {
      const [name = '', ...words] = line.split(' ');
      const fields = new Map<number, ProtoField>();
      for (let i = 0; i + 2 < words.length; i += 3) {
        const type = words[i + 2]!;
        fields.set(Number(words[i]), {
          name: words[i + 1]!,
          type: type.replace('*', ''),
          many: type.startsWith('*'),
        });
      }
      return [name, fields];
    }),
);
